import { expect, it } from 'vitest';

import { quatOfRollPitchYaw, rotate, type Quat, type Vec3 } from '../../../lib/pose';
import { dot, UNIT_AXES } from '../../../lib/vector';
import { inertiaBoxOf, principalAxes, type Moments } from './inertiaBox';

/** Moments of an even box that is turned. */
function ofBox(massKg: number, [x, y, z]: Vec3, turned: Quat): Moments {
  const own: Vec3 = [(massKg / 12) * (y * y + z * z), (massKg / 12) * (x * x + z * z), (massKg / 12) * (x * x + y * y)];
  const axes = UNIT_AXES.map((axis) => rotate(turned, axis));
  const part = (i: number, j: number): number => axes.reduce((sum, axis, n) => sum + (own[n] ?? 0) * (axis[i] ?? 0) * (axis[j] ?? 0), 0);
  return { moments: [part(0, 0), part(1, 1), part(2, 2)], products: [part(0, 1), part(0, 2), part(1, 2)] };
}

it('an even box is its own box', () => {
  const box = inertiaBoxOf(2, ofBox(2, [0.1, 0.2, 0.4], [0, 0, 0, 1]));
  box?.size.forEach((edge, n) => {
    expect(edge).toBeCloseTo([0.1, 0.2, 0.4][n] ?? 0);
  });
});

it('finds the axes of one that is turned', () => {
  const size: Vec3 = [0.1, 0.3, 0.5];
  const turned = quatOfRollPitchYaw([0.4, -0.7, 1.1]);
  const box = inertiaBoxOf(3, ofBox(3, size, turned));
  expect(box).toBeDefined();
  const edges = [...(box?.size ?? [])].sort((a, b) => a - b);
  edges.forEach((edge, n) => {
    expect(edge).toBeCloseTo(size[n] ?? 0, 6);
  });
  // The longest edge points where it should, one way or the other.
  const longest = box?.size.indexOf(Math.max(...box.size)) ?? 0;
  const axis = rotate(box?.rotation ?? [0, 0, 0, 1], UNIT_AXES[longest] ?? UNIT_AXES[0]);
  expect(Math.abs(dot(axis, rotate(turned, UNIT_AXES[2])))).toBeCloseTo(1, 6);
});

it('what has no mass, or no moments that a body has, has no box', () => {
  expect(inertiaBoxOf(0, { moments: [1, 1, 1], products: [0, 0, 0] })).toBeUndefined();
  expect(inertiaBoxOf(1, { moments: [0, 0, 0], products: [0, 0, 0] })).toBeUndefined();
  expect(inertiaBoxOf(1, { moments: [Number.NaN, 1, 1], products: [0, 0, 0] })).toBeUndefined();
});

it('leaves axes that are principal already', () => {
  expect(principalAxes({ moments: [1, 2, 3], products: [0, 0, 0] })).toEqual({ values: [1, 2, 3], rotation: [0, 0, 0, 1] });
});
