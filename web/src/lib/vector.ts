/** Arithmetic of vectors as plain tuples. */
import type { Vec3 } from './pose';

export const UNIT_AXES: readonly [Vec3, Vec3, Vec3] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

export function plus([ax, ay, az]: Vec3, [bx, by, bz]: Vec3): Vec3 {
  return [ax + bx, ay + by, az + bz];
}

export function minus([ax, ay, az]: Vec3, [bx, by, bz]: Vec3): Vec3 {
  return [ax - bx, ay - by, az - bz];
}

export function times([x, y, z]: Vec3, factor: number): Vec3 {
  return [x * factor, y * factor, z * factor];
}

export function dot([ax, ay, az]: Vec3, [bx, by, bz]: Vec3): number {
  return ax * bx + ay * by + az * bz;
}

export function cross([ax, ay, az]: Vec3, [bx, by, bz]: Vec3): Vec3 {
  return [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
}

/** Returns the vector of length 1 in the same direction; one without a direction stays zero. */
export function unit(vector: Vec3): Vec3 {
  const length = Math.hypot(...vector);
  return length > 0 ? times(vector, 1 / length) : vector;
}

/** Returns the vector with another number at a place. */
export function withPart([x, y, z]: Vec3, place: number, value: number): Vec3 {
  return [place === 0 ? value : x, place === 1 ? value : y, place === 2 ? value : z];
}
