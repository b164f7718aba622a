/**
 * The handles as they are seen: lines and areas in pixels. What is drawn is what is hit, so that a
 * handle is where it looks to be on every screen.
 */
import { rotate, type Quat, type Vec3 } from '../../../lib/pose';
import { cross, dot, minus, plus, times, unit, UNIT_AXES } from '../../../lib/vector';
import type { Handle, TransformMode } from './drag';

export type Point = readonly [number, number];

export interface Figure {
  readonly handle: Handle;
  /** A line to drag along, or an area to drag in. */
  readonly shape: 'line' | 'area';
  readonly points: readonly Point[];
}

export interface Stand {
  readonly mode: TransformMode;
  readonly pivot: Vec3;
  readonly axes: Quat;
  /** From the pivot to the eye, of length 1. */
  readonly toEye: Vec3;
  /** Length of the handles in metres. */
  readonly size: number;
}

/** Where a point of the world is seen, in pixels; undefined when it is not. */
export type Project = (point: Vec3) => Point | undefined;

/** How near the pointer must come to a line, in pixels. */
const REACH_PX = 8;
/** Half the edge of what stands at the end of an axis and in the middle, in pixels. */
const CAP_PX = 6;
const MIDDLE_PX = 7;
/** An axis that is seen shorter than this points at the eye, and cannot be dragged. */
const SHORTEST_PX = 14;
/** A plane that is seen from its edge this much cannot be dragged in. */
const FLATTEST = 0.15;
const RING_PARTS = 48;
/** The ring that faces the eye is around the others. */
const OUTER_RING = 1.2;

const AXES: readonly Handle[] = ['x', 'y', 'z'];
const PLANES: readonly (readonly [Handle, number, number])[] = [['xy', 0, 1], ['yz', 1, 2], ['zx', 2, 0]];

/** Returns what is seen of the handles, the first ones behind the later ones. */
export function figuresOf(stand: Stand, project: Project): readonly Figure[] {
  switch (stand.mode) {
    case 'translate':
      return [...planes(stand, project), ...arrows(stand, project, arrowHead), ...middle(stand, project)];
    case 'rotate':
      return [...facingRing(stand, project), ...rings(stand, project)];
    case 'scale':
      return [...arrows(stand, project, square), ...middle(stand, project)];
  }
}

/** Returns the handle under the pointer. Areas that are small win over lines, which are easy to hit elsewhere. */
export function handleAt(figures: readonly Figure[], at: Point): Handle | undefined {
  const front = figures.toReversed();
  const area = front.find(({ shape, points }) => shape === 'area' && isInside(points, at));
  if (area !== undefined) {
    return area.handle;
  }
  const near = front
    .filter(({ shape }) => shape === 'line')
    .map(({ handle, points }) => ({ handle, px: distanceToLine(points, at) }))
    .filter(({ px }) => px <= REACH_PX);
  return near.sort((a, b) => a.px - b.px)[0]?.handle;
}

function axisVectors({ axes, size }: Stand): readonly Vec3[] {
  return UNIT_AXES.map((axis) => times(rotate(axes, axis), size));
}

function arrows(stand: Stand, project: Project, cap: (from: Point, to: Point) => readonly Point[]): readonly Figure[] {
  const from = project(stand.pivot);
  return axisVectors(stand).flatMap((axis, place): readonly Figure[] => {
    const to = project(plus(stand.pivot, axis));
    const handle = AXES[place];
    if (handle === undefined || from === undefined || to === undefined || apart(from, to) < SHORTEST_PX) {
      return [];
    }
    // It begins outside of the middle, which has a handle of its own.
    const begin = between(from, to, 0.18);
    return [{ handle, shape: 'line', points: [begin, to] }, { handle, shape: 'area', points: cap(from, to) }];
  });
}

function planes(stand: Stand, project: Project): readonly Figure[] {
  const vectors = axisVectors(stand);
  return PLANES.flatMap(([handle, first, second]): readonly Figure[] => {
    const [a, b] = [vectors[first], vectors[second]];
    if (a === undefined || b === undefined || Math.abs(dot(unit(cross(a, b)), stand.toEye)) < FLATTEST) {
      return [];
    }
    const corners = [[0.28, 0.28], [0.52, 0.28], [0.52, 0.52], [0.28, 0.52]] as const;
    const points = corners.map(([s, t]) => project(plus(stand.pivot, plus(times(a, s), times(b, t)))));
    return points.every((point) => point !== undefined) ? [{ handle, shape: 'area', points }] : [];
  });
}

function middle({ pivot }: Stand, project: Project): readonly Figure[] {
  const at = project(pivot);
  return at === undefined ? [] : [{ handle: 'view', shape: 'area', points: squareAround(at, MIDDLE_PX) }];
}

/** The halves of the rings that are towards the eye: the others would lie over them. */
function rings(stand: Stand, project: Project): readonly Figure[] {
  return axisVectors(stand).flatMap((axis, place): readonly Figure[] => {
    const handle = AXES[place];
    const points = ringAbout(unit(axis), stand.size).filter((offset) => dot(offset, stand.toEye) > -0.08 * stand.size);
    return handle === undefined ? [] : line(handle, unrolled(points), stand.pivot, project);
  });
}

function facingRing({ pivot, toEye, size }: Stand, project: Project): readonly Figure[] {
  const points = ringAbout(toEye, size * OUTER_RING);
  return line('view', [...points, ...points.slice(0, 1)], pivot, project);
}

function line(handle: Handle, offsets: readonly Vec3[], pivot: Vec3, project: Project): readonly Figure[] {
  const points = offsets.map((offset) => project(plus(pivot, offset))).filter((point) => point !== undefined);
  return points.length < 2 ? [] : [{ handle, shape: 'line', points }];
}

function ringAbout(axis: Vec3, radius: number): readonly Vec3[] {
  const other: Vec3 = Math.abs(axis[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
  const u = unit(cross(axis, other));
  const v = cross(axis, u);
  return Array.from({ length: RING_PARTS }, (_, n) => {
    const angle = (2 * Math.PI * n) / RING_PARTS;
    return plus(times(u, radius * Math.cos(angle)), times(v, radius * Math.sin(angle)));
  });
}

/** Begins an arc that was cut out of a ring behind its gap, so that no line goes across. */
function unrolled(points: readonly Vec3[]): readonly Vec3[] {
  let widest = 0;
  let start = 0;
  points.forEach((point, n) => {
    const previous = points.at(n - 1) ?? point;
    const gap = Math.hypot(...minus(point, previous));
    if (gap > widest) {
      widest = gap;
      start = n;
    }
  });
  return [...points.slice(start), ...points.slice(0, start)];
}

function arrowHead(from: Point, to: Point): readonly Point[] {
  const length = apart(from, to);
  const [dx, dy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const side = (along: number, across: number): Point => [to[0] + dx * along - dy * across, to[1] + dy * along + dx * across];
  return [side(11, 0), side(-4, CAP_PX), side(-4, -CAP_PX)];
}

function square(_: Point, to: Point): readonly Point[] {
  return squareAround(to, CAP_PX);
}

function squareAround([x, y]: Point, half: number): readonly Point[] {
  return [[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]];
}

function between(a: Point, b: Point, t: number): Point {
  return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
}

function apart(a: Point, b: Point): number {
  return Math.hypot(b[0] - a[0], b[1] - a[1]);
}

function isInside(points: readonly Point[], [x, y]: Point): boolean {
  let inside = false;
  points.forEach(([ax, ay], n) => {
    const [bx, by] = points.at(n - 1) ?? [ax, ay];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) {
      inside = !inside;
    }
  });
  return inside;
}

function distanceToLine(points: readonly Point[], at: Point): number {
  return points.slice(1).reduce((least, to, n) => Math.min(least, distanceToPart(points[n] ?? to, to, at)), Number.POSITIVE_INFINITY);
}

function distanceToPart(a: Point, b: Point, at: Point): number {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const length = dx * dx + dy * dy;
  const t = length === 0 ? 0 : Math.min(1, Math.max(0, ((at[0] - a[0]) * dx + (at[1] - a[1]) * dy) / length));
  return apart(between(a, b, t), at);
}
