/**
 * What dragging a handle does to the things that it holds: along an axis, in a plane, about an axis,
 * larger or smaller. Plain geometry of rays; the pointer is a ray from the eye.
 */
import { multiplyQuat, normalizedQuat, rotate, type Pose, type Quat, type Vec3 } from '../../../lib/pose';
import { cross, dot, minus, plus, times, unit, UNIT_AXES } from '../../../lib/vector';

export interface Ray {
  readonly origin: Vec3;
  /** Of length 1. */
  readonly direction: Vec3;
}

export type TransformMode = 'translate' | 'rotate' | 'scale';

/** Axes, planes of two axes, and what faces the eye: its plane, its ring, all factors alike. */
export type Handle = 'x' | 'y' | 'z' | 'xy' | 'yz' | 'zx' | 'view';

/** A handle in hand. */
export interface Grip {
  readonly mode: TransformMode;
  readonly handle: Handle;
  /** Where the handles stand, in the world. */
  readonly pivot: Vec3;
  /** How their axes are turned. */
  readonly axes: Quat;
  /** From the pivot to the eye, of length 1. */
  readonly toEye: Vec3;
  /** Length of the handles in metres. */
  readonly size: number;
  /** The pointer when it took hold. */
  readonly start: Ray;
}

/** What has been done to the things in hand. */
export interface Change {
  readonly offset: Vec3;
  /** About the pivot. */
  readonly turn: Quat;
  /** Along the axes of each thing. */
  readonly factor: Vec3;
  /** How far it is turned, in radians. */
  readonly angle: number;
}

/** Steps to snap to; undefined moves freely. */
export interface Steps {
  readonly metres: number;
  readonly degrees: number;
  readonly factor: number;
}

export const NO_CHANGE: Change = { offset: [0, 0, 0], turn: [0, 0, 0, 1], factor: [1, 1, 1], angle: 0 };

/** The server takes no other factors. */
const LEAST_FACTOR = 0.01;
const GREATEST_FACTOR = 100;
/** A ring that is seen from its edge this much is turned along its tangent. */
const EDGE_ON = 0.12;
/** A line that runs this much along the sight cannot be followed. */
const ALONG_SIGHT = 1e-4;

/**
 * Returns what a drag has done when the pointer is at `ray`. Where geometry has no answer, as with
 * an axis that points at the eye, it stays at `before`.
 */
export function changeAt(grip: Grip, ray: Ray, before: Change, steps: Steps | undefined): Change {
  switch (grip.mode) {
    case 'translate':
      return translated(grip, ray, before, steps);
    case 'rotate':
      return rotated(grip, ray, before, steps);
    case 'scale':
      return scaled(grip, ray, before, steps);
  }
}

/**
 * Returns what a drag does that goes by a number: metres along an axis, degrees about one, a factor.
 * Undefined when the handle has no direction, as a plane, or the number is none for it.
 */
export function changeBy(grip: Grip, value: number): Change | undefined {
  switch (grip.mode) {
    case 'translate':
      return isAxis(grip.handle) ? { ...NO_CHANGE, offset: times(axisOf(grip), value) } : undefined;
    case 'rotate': {
      const angle = (value * Math.PI) / 180;
      return { ...NO_CHANGE, angle, turn: aboutAxis(axisOf(grip), angle) };
    }
    case 'scale':
      return value >= LEAST_FACTOR && value <= GREATEST_FACTOR ? { ...NO_CHANGE, factor: factorsOf(grip.handle, value) } : undefined;
  }
}

/** Returns where a thing is after a change about a pivot. */
export function changedPose({ position, rotation }: Pose, pivot: Vec3, { offset, turn }: Change): Pose {
  const turned = plus(pivot, rotate(turn, minus(position, pivot)));
  const both = multiplyQuat(turn, rotation);
  return { position: plus(turned, offset), rotation: normalizedQuat(both) ?? rotation };
}

/** Returns the nearest whole number of steps; a step of zero is none. */
export function snapped(value: number, step: number): number {
  // Rounding the product keeps 0.1 steps short to write.
  return step > 0 ? Number((Math.round(value / step) * step).toFixed(9)) : value;
}

/** The axis of a handle in the world: that of a plane is across it. */
export function axisOf({ handle, axes, toEye }: Pick<Grip, 'handle' | 'axes' | 'toEye'>): Vec3 {
  switch (handle) {
    case 'x':
    case 'yz':
      return rotate(axes, UNIT_AXES[0]);
    case 'y':
    case 'zx':
      return rotate(axes, UNIT_AXES[1]);
    case 'z':
    case 'xy':
      return rotate(axes, UNIT_AXES[2]);
    case 'view':
      return toEye;
  }
}

function translated(grip: Grip, ray: Ray, before: Change, steps: Steps | undefined): Change {
  const offset = isAxis(grip.handle) ? alongAxis(grip, ray) : inPlane(grip, ray);
  if (offset === undefined) {
    return before;
  }
  return { ...NO_CHANGE, offset: steps === undefined ? offset : snappedOffset(grip, offset, steps.metres) };
}

/**
 * Along the world's axes places snap to whole steps from the origin, so that things line up; along
 * others the way does.
 */
function snappedOffset({ handle, axes, pivot }: Grip, offset: Vec3, step: number): Vec3 {
  const upright = Math.abs(Math.abs(axes[3]) - 1) < 1e-9;
  const moves = handle === 'view' ? 'xyz' : handle;
  const inFrame = rotate(inverse(axes), offset);
  const parts = inFrame.map((value, place) => {
    if (!moves.includes('xyz'.charAt(place))) {
      return 0;
    }
    const from = upright ? (pivot[place] ?? 0) : 0;
    return snapped(from + value, step) - from;
  });
  return rotate(axes, [parts[0] ?? 0, parts[1] ?? 0, parts[2] ?? 0]);
}

function rotated(grip: Grip, ray: Ray, before: Change, steps: Steps | undefined): Change {
  const axis = axisOf(grip);
  const raw = angleAbout(grip, axis, ray);
  if (raw === undefined) {
    return before;
  }
  // Several turns are possible: the angle goes on from where it was.
  const unwrapped = raw + 2 * Math.PI * Math.round((before.angle - raw) / (2 * Math.PI));
  const angle = steps === undefined ? unwrapped : (snapped((unwrapped * 180) / Math.PI, steps.degrees) * Math.PI) / 180;
  return { ...NO_CHANGE, angle, turn: aboutAxis(axis, angle) };
}

function scaled(grip: Grip, ray: Ray, before: Change, steps: Steps | undefined): Change {
  const way = grip.handle === 'view' ? upwards(grip, ray) : (isAxis(grip.handle) ? along(grip, axisOf(grip), ray) : undefined);
  if (way === undefined) {
    return before;
  }
  const free = 1 + way / grip.size;
  const whole = steps === undefined ? free : snapped(free, steps.factor);
  const factor = Math.min(GREATEST_FACTOR, Math.max(LEAST_FACTOR, whole));
  return { ...NO_CHANGE, factor: factorsOf(grip.handle, factor) };
}

function factorsOf(handle: Handle, factor: number): Vec3 {
  const grows = handle === 'view' ? 'xyz' : handle;
  const part = (axis: string): number => (grows.includes(axis) ? factor : 1);
  return [part('x'), part('y'), part('z')];
}

/** How far the pointer went away from the pivot, in the plane that faces the eye. */
function upwards(grip: Grip, ray: Ray): number | undefined {
  const from = meet(grip.start, grip.pivot, grip.toEye);
  const to = meet(ray, grip.pivot, grip.toEye);
  if (from === undefined || to === undefined) {
    return undefined;
  }
  // To the right and up on the screen is larger: a hand at the middle has no way outward.
  const up: Vec3 = Math.abs(grip.toEye[2]) < 0.99 ? [0, 0, 1] : [0, 1, 0];
  const right = unit(cross(up, grip.toEye));
  const screenUp = cross(grip.toEye, right);
  const way = minus(to, from);
  return dot(way, right) + dot(way, screenUp);
}

function alongAxis(grip: Grip, ray: Ray): Vec3 | undefined {
  const axis = axisOf(grip);
  const way = along(grip, axis, ray);
  return way === undefined ? undefined : times(axis, way);
}

/** How far along a line through the pivot the pointer went. */
function along({ start, pivot }: Grip, axis: Vec3, ray: Ray): number | undefined {
  const from = nearestOn(pivot, axis, start);
  const to = nearestOn(pivot, axis, ray);
  return from === undefined || to === undefined ? undefined : to - from;
}

function inPlane(grip: Grip, ray: Ray): Vec3 | undefined {
  const normal = axisOf(grip);
  const from = meet(grip.start, grip.pivot, normal);
  const to = meet(ray, grip.pivot, normal);
  return from === undefined || to === undefined ? undefined : minus(to, from);
}

function angleAbout(grip: Grip, axis: Vec3, ray: Ray): number | undefined {
  const { start, pivot, size, toEye } = grip;
  if (Math.abs(dot(axis, toEye)) < EDGE_ON) {
    const tangent = unit(cross(axis, toEye));
    const way = along(grip, tangent, ray);
    return way === undefined ? undefined : way / size;
  }
  const from = meet(start, pivot, axis);
  const to = meet(ray, pivot, axis);
  if (from === undefined || to === undefined) {
    return undefined;
  }
  const [a, b] = [minus(from, pivot), minus(to, pivot)];
  return Math.atan2(dot(cross(a, b), axis), dot(a, b));
}

/** Where a ray meets the plane through a point; undefined when it does not, or behind the eye. */
export function meet({ origin, direction }: Ray, through: Vec3, normal: Vec3): Vec3 | undefined {
  const towards = dot(direction, normal);
  const far = dot(minus(through, origin), normal) / towards;
  return Math.abs(towards) > ALONG_SIGHT && far > 0 && Number.isFinite(far) ? plus(origin, times(direction, far)) : undefined;
}

/** How far along a line its nearest point to a ray is; undefined when both run the same way. */
function nearestOn(through: Vec3, axis: Vec3, { origin, direction }: Ray): number | undefined {
  const between = dot(axis, direction);
  const spread = 1 - between * between;
  if (spread < ALONG_SIGHT) {
    return undefined;
  }
  const apart = minus(origin, through);
  return (dot(apart, axis) - between * dot(apart, direction)) / spread;
}

function isAxis(handle: Handle): boolean {
  return handle === 'x' || handle === 'y' || handle === 'z';
}

function aboutAxis(axis: Vec3, angle: number): Quat {
  const [x, y, z] = times(axis, Math.sin(angle / 2));
  return [x, y, z, Math.cos(angle / 2)];
}

function inverse([x, y, z, w]: Quat): Quat {
  return [-x, -y, -z, w];
}
