/** How large the parts of the page are, as the person made them. Remembered by the browser. */
import { recall, remember } from '../lib/storage';

/** All tabs of the dock have one height: nothing moves under the mouse of who goes through them. */
const FIRST = { tree: 252, inspector: 312, dock: 330 } as const;

export type Pane = keyof typeof FIRST;

export class PaneSizes {
  private sizes: Readonly<Record<Pane, number>> = $state.raw(kept());

  /** In pixels. */
  of(pane: Pane): number {
    return this.sizes[pane];
  }

  resize(pane: Pane, size: number): void {
    this.sizes = { ...this.sizes, [pane]: size };
    remember(keyOf(pane), String(size));
  }
}

function kept(): Record<Pane, number> {
  const read = (pane: Pane): number => {
    const size = Number(recall(keyOf(pane)));
    return Number.isFinite(size) && size > 0 ? size : FIRST[pane];
  };
  return Object.fromEntries(Object.keys(FIRST).map((pane) => [pane, read(pane as Pane)])) as Record<Pane, number>;
}

function keyOf(pane: Pane): string {
  return pane === 'dock' ? 'dock-height' : pane;
}
