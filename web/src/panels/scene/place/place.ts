/** Where something new goes: on the ground or on the surface under the pointer. */
import type { Shape } from '../../../commands/sdfText';
import type { Vec3 } from '../../../lib/pose';
import { plus, times } from '../../../lib/vector';
import type { PlainGeometry } from '../model';
import { meet, snapped, type Ray } from '../transform/drag';

/** Something to put into the world by a click. */
export interface Placeable {
  /** What people call it. */
  readonly name: string;
  /** What it looks like; undefined when nobody knows yet. */
  readonly shape: Shape | undefined;
  /** How far its middle is above what it stands on. */
  readonly heightMetres: number;
  readonly widthMetres: number;
}

/** A place on a surface. */
interface Surface {
  readonly point: Vec3;
  readonly normal: Vec3;
}

/** Farther away than this nobody wants to place anything. */
const FARTHEST = 500;
const UP: Vec3 = [0, 0, 1];
/** A smaller frame is hard to see. */
const LEAST_FRAME_METRES = 0.3;

/**
 * Returns where the middle of a thing goes: it stands on what faces up, hangs below what faces down
 * and leans against walls. Undefined when the pointer shows at the sky.
 */
export function placeFor(
  { heightMetres, widthMetres }: Pick<Placeable, 'heightMetres' | 'widthMetres'>, ray: Ray, surface: Surface | undefined, step: number | undefined,
): Vec3 | undefined {
  const { point, normal } = surface ?? { point: groundUnder(ray), normal: UP };
  if (point === undefined) {
    return undefined;
  }
  const [x, y, z]: Vec3 = step === undefined ? point : [snapped(point[0], step), snapped(point[1], step), point[2]];
  if (Math.abs(normal[2]) > 0.5) {
    return [x, y, z + Math.sign(normal[2]) * heightMetres];
  }
  return plus([x, y, Math.max(z, heightMetres)], times(normal, widthMetres / 2));
}

/** Returns where the pointer shows at the ground; undefined when it does not, or too far away. */
export function groundUnder(ray: Ray): Vec3 | undefined {
  const point = meet(ray, [0, 0, 0], UP);
  return point !== undefined && Math.hypot(point[0] - ray.origin[0], point[1] - ray.origin[1]) < FARTHEST ? point : undefined;
}

/** What follows the pointer in place of a thing that is not there yet. */
export type StandIn =
  | { readonly kind: 'shape'; readonly geometry: PlainGeometry }
  /** A wire box around what has no shape of its own, as a light. */
  | { readonly kind: 'frame'; readonly geometry: PlainGeometry }
  /** Only where its origin goes: how large it is nobody knows before it is there. */
  | { readonly kind: 'spot' };

/** Says what stands in for a thing; a size that is not known is not made up. */
export function standInOf({ shape, heightMetres, widthMetres }: Omit<Placeable, 'name'>): StandIn {
  if (shape !== undefined) {
    return { kind: 'shape', geometry: geometryOf(shape) };
  }
  // Models out of files have their origin where they stand.
  if (heightMetres === 0) {
    return { kind: 'spot' };
  }
  const side = Math.max(widthMetres, LEAST_FRAME_METRES);
  return { kind: 'frame', geometry: { shape: 'box', size: [side, side, side] } };
}

/** Tells a shape as components do. */
function geometryOf({ kind, size, radius, length }: Shape): PlainGeometry {
  switch (kind) {
    case 'box':
      return { shape: 'box', size };
    case 'ellipsoid':
      return { shape: 'ellipsoid', radii: size };
    case 'sphere':
      return { shape: 'sphere', radius };
    case 'cylinder':
    case 'capsule':
    case 'cone':
      return { shape: kind, radius, length };
  }
}
