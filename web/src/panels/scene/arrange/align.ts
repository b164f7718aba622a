/** Lining things up: where each must go so that all have an edge or the middle in common. */
import type { Vec3 } from '../../../lib/pose';
import { withPart } from '../../../lib/vector';
import type { EntityId } from '../../../world/entity';
import type { Bounds } from '../model';

export const AXES = ['x', 'y', 'z'] as const;
export type Axis = (typeof AXES)[number];

/** Which edge: the lower one, the middle or the upper one along the axis. */
export const EDGES = ['min', 'centre', 'max'] as const;
export type Edge = (typeof EDGES)[number];

export interface Alignment {
  readonly axis: Axis;
  readonly edge: Edge;
  /** Which of the selected ones stays. */
  readonly to: 'first' | 'last';
  /** Puts the things beside the one that stays instead of level with it. */
  readonly reverse: boolean;
}

export interface Thing {
  readonly id: EntityId;
  /** A box around it, along the axes of the world. */
  readonly bounds: Bounds;
}

/** Returns how far each thing must go; the one that stays is not in it. */
export function offsetsOf(things: readonly Thing[], { axis, edge, to, reverse }: Alignment): ReadonlyMap<EntityId, Vec3> {
  const target = to === 'first' ? things[0] : things.at(-1);
  if (target === undefined) {
    return new Map();
  }
  const place = AXES.indexOf(axis);
  const goal = edgeAt(target.bounds, place, edge);
  const own = reverse ? opposite(edge) : edge;
  const moved = things.filter((thing) => thing !== target);
  return new Map(moved.map(({ id, bounds }) => [id, withPart([0, 0, 0], place, goal - edgeAt(bounds, place, own))]));
}

/** How an alignment is told in the history. */
export function describeAlignment(names: readonly string[], { axis, edge, to }: Alignment): string {
  const target = (to === 'first' ? names[0] : names.at(-1)) ?? '';
  const moved = to === 'first' ? names.slice(1) : names.slice(0, -1);
  const what = moved.length > 2 ? `${moved.length} entities` : moved.join(', ');
  return `Align ${what} to ${target} (${axis} ${edge})`;
}

function edgeAt({ min, max }: Bounds, place: number, edge: Edge): number {
  const [low, high] = [min[place] ?? 0, max[place] ?? 0];
  switch (edge) {
    case 'min':
      return low;
    case 'centre':
      return (low + high) / 2;
    case 'max':
      return high;
  }
}

function opposite(edge: Edge): Edge {
  return edge === 'min' ? 'max' : edge === 'max' ? 'min' : 'centre';
}
