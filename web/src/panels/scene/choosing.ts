/** Selecting in the view: by clicks, and by a box. */
import type { EntityId } from '../../world/entity';
import type { World } from '../../world/world';
import type { SceneEngine } from './engine';
import { pickTarget } from './model';
import { hasMoved, type Pointing, type PointerTool } from './pointing';

export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface ChoosingContext {
  readonly engine: () => SceneEngine | undefined;
  readonly world: World;
  readonly selection: () => readonly EntityId[];
  readonly onselect: (ids: readonly EntityId[]) => void;
  /** The box is another. */
  readonly changed: (box: Rectangle | undefined) => void;
}

export class Choosing implements PointerTool {
  private from: Pointing | undefined;
  private to: Pointing | undefined;

  constructor(private readonly context: ChoosingContext) {}

  press(at: Pointing): boolean {
    this.from = at.shift ? at : undefined;
    return this.from !== undefined;
  }

  drag(at: Pointing): void {
    const { from } = this;
    if (from !== undefined && (this.to !== undefined || hasMoved(from, at))) {
      this.to = at;
      this.context.changed(rectangleOf(from, at));
    }
  }

  release(at: Pointing): void {
    const { from, to } = this;
    this.cancel();
    if (from === undefined || to === undefined) {
      this.click(at);
      return;
    }
    const box = rectangleOf(from, at);
    const { engine, world, selection, onselect } = this.context;
    const found = inBox(engine(), world, box);
    onselect(at.ctrl ? [...new Set([...selection(), ...found])] : found);
  }

  click(at: Pointing): boolean {
    const { engine, world, selection, onselect } = this.context;
    const hit = engine()?.sight.pick(at.x, at.y);
    const before = selection();
    const more = at.ctrl || at.shift;
    if (hit === undefined) {
      onselect(more ? before : []);
      return true;
    }
    const target = pickTarget(world, hit.visual, more || before.length > 1 ? undefined : before[0]);
    const without = before.filter((id) => id !== target);
    onselect(!more ? [target] : without.length === before.length ? [...before, target] : without);
    return true;
  }

  cancel(): boolean {
    const boxed = this.to !== undefined;
    this.from = undefined;
    this.to = undefined;
    this.context.changed(undefined);
    return boxed;
  }
}

/** The box between two places of the pointer. */
export function rectangleOf(a: Pick<Pointing, 'px' | 'py'>, b: Pick<Pointing, 'px' | 'py'>): Rectangle {
  const [left, top] = [Math.min(a.px, b.px), Math.min(a.py, b.py)];
  return { left, top, width: Math.abs(a.px - b.px), height: Math.abs(a.py - b.py) };
}

/** Says whether a place of the view is in a box. */
export function isIn({ left, top, width, height }: Rectangle, [x, y]: readonly [number, number]): boolean {
  return x >= left && x <= left + width && y >= top && y <= top + height;
}

/** The models of the world whose middle is seen in a box; ground without end is no thing. */
function inBox(engine: SceneEngine | undefined, world: World, box: Rectangle): readonly EntityId[] {
  const root = world.children(undefined).find(({ kind }) => kind === 'world');
  return world.children(root?.id).filter(({ kind }) => kind === 'model').flatMap(({ id }) => {
    const bounds = engine?.extents.thingBounds(id);
    const middle = bounds?.min.map((value, n) => (value + (bounds.max[n] ?? value)) / 2);
    const seen = middle && engine?.sight.screenOf([middle[0] ?? 0, middle[1] ?? 0, middle[2] ?? 0]);
    return seen !== undefined && isIn(box, seen) ? [id] : [];
  });
}
