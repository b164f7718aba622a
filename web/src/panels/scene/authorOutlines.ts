/** Thin outlines around what others change as soon as the world goes on, in their colours. */
import { Group } from 'three';

import type { EntityId } from '../../world/entity';
import type { Slot } from './batches';
import { Outline } from './outline';

/** Bits of the stencil that are left beside the selection's; more colours than that share nothing. */
const MOST_COLORS = 7;
const WIDTH_PX = 1.5;

/** What is outlined, by colour. */
export type ColoredEntities = ReadonlyMap<string, readonly EntityId[]>;

export class AuthorOutlines {
  readonly group = new Group();
  private outlines: { readonly outline: Outline; readonly ids: readonly EntityId[] }[] = [];
  private size: readonly [number, number] = [1, 1];

  /** Takes other things to outline; [`refresh`] draws them. */
  use(colored: ColoredEntities): void {
    this.clear();
    this.outlines = [...colored].slice(0, MOST_COLORS).map(([color, ids], index) => {
      const outline = new Outline({ color, widthPx: WIDTH_PX, bit: index + 1 });
      outline.resize(...this.size);
      this.group.add(outline.group);
      return { outline, ids };
    });
  }

  /** Finds the visuals of the things anew. */
  refresh(slotsOf: (id: EntityId) => readonly Slot[]): void {
    for (const { outline, ids } of this.outlines) {
      outline.show([...new Set(ids.flatMap(slotsOf))]);
      outline.follow();
    }
  }

  follow(): void {
    for (const { outline } of this.outlines) {
      outline.follow();
    }
  }

  resize(widthPx: number, heightPx: number): void {
    this.size = [widthPx, heightPx];
    for (const { outline } of this.outlines) {
      outline.resize(widthPx, heightPx);
    }
  }

  clear(): void {
    for (const { outline } of this.outlines) {
      outline.dispose();
    }
    this.group.clear();
    this.outlines = [];
  }
}
