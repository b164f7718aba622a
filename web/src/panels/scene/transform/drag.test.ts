import { expect, it } from 'vitest';

import { quatOfRollPitchYaw, rollPitchYaw, type Vec3 } from '../../../lib/pose';
import { minus, unit } from '../../../lib/vector';
import { changeAt, changeBy, changedPose, NO_CHANGE, snapped, type Grip, type Handle, type Ray, type TransformMode } from './drag';

const EYE: Vec3 = [0, -10, 4];
const STEPS = { metres: 0.25, degrees: 15, factor: 0.5 };

/** The pointer over a point of the world. */
function over(point: Vec3): Ray {
  return { origin: EYE, direction: unit(minus(point, EYE)) };
}

function grip(mode: TransformMode, handle: Handle, start: Vec3, more: Partial<Grip> = {}): Grip {
  return { mode, handle, pivot: [0, 0, 0], axes: [0, 0, 0, 1], toEye: unit(EYE), size: 1, start: over(start), ...more };
}

it('goes along an axis to where the pointer is', () => {
  const { offset } = changeAt(grip('translate', 'x', [0.5, 0, 0]), over([2.5, 0, 0]), NO_CHANGE, undefined);
  expect(offset[0]).toBeCloseTo(2);
  expect(offset[1]).toBe(0);
  expect(offset[2]).toBe(0);
});

it('goes in a plane, and across the sight', () => {
  const inPlane = changeAt(grip('translate', 'xy', [0, 0, 0]), over([1, 2, 0]), NO_CHANGE, undefined).offset;
  expect(inPlane[0]).toBeCloseTo(1);
  expect(inPlane[1]).toBeCloseTo(2);
  expect(inPlane[2]).toBeCloseTo(0);
  const facing = changeAt(grip('translate', 'view', [0, 0, 0]), over([1, 0, 0]), NO_CHANGE, undefined).offset;
  expect(facing[0]).toBeCloseTo(1);
});

it('follows turned axes', () => {
  const axes = quatOfRollPitchYaw([0, 0, Math.PI / 2]);
  const { offset } = changeAt(grip('translate', 'x', [0, 0.5, 0], { axes }), over([0, 1.5, 0]), NO_CHANGE, undefined);
  expect(offset[0]).toBeCloseTo(0);
  expect(offset[1]).toBeCloseTo(1);
});

it('stays when the axis points at the eye', () => {
  const before = { ...NO_CHANGE, offset: [0, 3, 0] as const };
  const held = grip('translate', 'y', [0, 0, 0], { start: { origin: [0, -10, 0], direction: [0, 1, 0] } });
  expect(changeAt(held, { origin: [0, -10, 0], direction: [0, 1, 0] }, before, undefined)).toBe(before);
});

it('snaps places along the world to whole steps, and along other axes the way', () => {
  const held = grip('translate', 'x', [0.6, 0, 0], { pivot: [0.1, 0, 0] });
  const world = changeAt(held, over([1.5, 0, 0]), NO_CHANGE, STEPS).offset;
  expect(0.1 + world[0]).toBeCloseTo(1);
  const axes = quatOfRollPitchYaw([0, 0, 0.5]);
  const local = changeAt({ ...held, axes }, over([1.5, 0.4, 0]), NO_CHANGE, STEPS).offset;
  expect(Math.hypot(...local) % 0.25).toBeCloseTo(0);
});

it('turns about an axis by the angle that the pointer goes round', () => {
  const held = grip('rotate', 'z', [1, 0, 0]);
  const quarter = changeAt(held, over([0, 1, 0]), NO_CHANGE, undefined);
  expect(quarter.angle).toBeCloseTo(Math.PI / 2);
  expect(rollPitchYaw(quarter.turn)[2]).toBeCloseTo(Math.PI / 2);
  // Past half a turn it goes on instead of coming back.
  const most = changeAt(held, over([0, -1, 0]), { ...NO_CHANGE, angle: 3.1 }, undefined);
  expect(most.angle).toBeCloseTo(1.5 * Math.PI);
  const stepped = changeAt(held, over([1, 0.3, 0]), NO_CHANGE, STEPS);
  expect(stepped.angle).toBeCloseTo((15 * Math.PI) / 180);
});

it('turns along the tangent where a ring is seen from its edge', () => {
  const held = grip('rotate', 'x', [0, 0, 1], { toEye: [0, -1, 0] });
  expect(changeAt(held, over([0, 0, 1.5]), NO_CHANGE, undefined).angle).not.toBe(0);
});

it('scales one axis or all, by no less than a hundredth', () => {
  expect(changeAt(grip('scale', 'x', [1, 0, 0]), over([2, 0, 0]), NO_CHANGE, undefined).factor[0]).toBeCloseTo(2);
  expect(changeAt(grip('scale', 'x', [1, 0, 0]), over([-9, 0, 0]), NO_CHANGE, undefined).factor).toEqual([0.01, 1, 1]);
  const even = changeAt(grip('scale', 'view', [0, 0, 0]), over([0.4, 0, 0]), NO_CHANGE, STEPS).factor;
  expect(even).toEqual([1.5, 1.5, 1.5]);
});

it('turns things about the pivot and moves them after that', () => {
  const change = { ...NO_CHANGE, turn: quatOfRollPitchYaw([0, 0, Math.PI / 2]), offset: [0, 0, 1] as const };
  const { position, rotation } = changedPose({ position: [2, 0, 0], rotation: [0, 0, 0, 1] }, [1, 0, 0], change);
  expect(position[0]).toBeCloseTo(1);
  expect(position[1]).toBeCloseTo(1);
  expect(position[2]).toBeCloseTo(1);
  expect(rollPitchYaw(rotation)[2]).toBeCloseTo(Math.PI / 2);
});

it('writes whole steps short', () => {
  expect(snapped(0.31, 0.1)).toBe(0.3);
  expect(snapped(0.31, 0)).toBe(0.31);
});

it('goes by a number that is typed, where the handle has a direction', () => {
  expect(changeBy(grip('translate', 'z', [0, 0, 0]), 1.5)?.offset).toEqual([0, 0, 1.5]);
  expect(changeBy(grip('translate', 'xy', [0, 0, 0]), 1.5)).toBeUndefined();
  expect(rollPitchYaw(changeBy(grip('rotate', 'z', [1, 0, 0]), 90)?.turn ?? [0, 0, 0, 1])[2]).toBeCloseTo(Math.PI / 2);
  expect(changeBy(grip('scale', 'y', [0, 0, 0]), 2)?.factor).toEqual([1, 2, 1]);
  expect(changeBy(grip('scale', 'view', [0, 0, 0]), 2)?.factor).toEqual([2, 2, 2]);
  expect(changeBy(grip('scale', 'view', [0, 0, 0]), 0)).toBeUndefined();
});
