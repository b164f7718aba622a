import { expect, it } from 'vitest';

import { cross, dot, unit, UNIT_AXES, withPart } from './vector';

it('x, y and z are a right-handed frame', () => {
  const [x, y, z] = UNIT_AXES;
  expect(cross(x, y)).toEqual(z);
  expect(cross(y, z)).toEqual(x);
  expect(dot(x, y)).toBe(0);
});

it('has a unit vector of everything but zero', () => {
  expect(unit([0, 3, 4])).toEqual([0, 0.6000000000000001, 0.8]);
  expect(unit([0, 0, 0])).toEqual([0, 0, 0]);
});

it('changes one number', () => {
  expect(withPart([1, 2, 3], 1, 9)).toEqual([1, 9, 3]);
});
