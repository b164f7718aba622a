import { describe, expect, it } from 'vitest';

import { compose, normalizedQuat, quatOfRollPitchYaw, rollPitchYaw, rotate, rotationFromZ, within, type Quat, type Vec3 } from './pose';

const quarterYaw: Quat = [0, 0, Math.SQRT1_2, Math.SQRT1_2];

function near(actual: readonly number[], expected: readonly number[]): void {
  expect(actual).toHaveLength(expected.length);
  actual.forEach((value, i) => {
    expect(value).toBeCloseTo(expected[i] ?? Number.NaN, 9);
  });
}

describe('poses', () => {
  it('turn before they move', () => {
    const outer = { position: [1, 2, 3] as Vec3, rotation: quarterYaw };
    const inner = { position: [1, 0, 0] as Vec3, rotation: quarterYaw };
    const both = compose(outer, inner);
    near(both.position, [1, 3, 3]);
    near(rollPitchYaw(both.rotation), [0, 0, Math.PI]);
  });

  it('give pitch a value at the pole', () => {
    near(rollPitchYaw([0, Math.SQRT1_2, 0, Math.SQRT1_2]).slice(1, 2), [Math.PI / 2]);
  });

  it.each<Vec3>([[0.1, -0.2, 0.3], [-3, 1.5, 3], [0, 0, 0], [2, -1, -2]])('come back from roll %d, pitch %d, yaw %d', (...angles) => {
    near(rollPitchYaw(quatOfRollPitchYaw(angles)), angles);
  });

  it('have rotations of length one', () => {
    near(normalizedQuat([0, 0, 3, 4]) ?? [], [0, 0, 0.6, 0.8]);
    expect(normalizedQuat([0, 0, 0, 0])).toBeUndefined();
    expect(normalizedQuat([0, 0, 0, Number.POSITIVE_INFINITY])).toBeUndefined();
  });

  it.each<Vec3>([[0, 0, 1], [0, 0, -1], [1, 0, 0], [0, -1, 0], [0.6, 0, 0.8]])(
    'turn z into %j %j %j',
    (...to) => {
      near(rotate(rotationFromZ(to), [0, 0, 1]), to);
    },
  );
});

it('a pose within another leads back to itself', () => {
  const outer = { position: [1, 2, 3] as const, rotation: quatOfRollPitchYaw([0.3, -0.4, 1.1]) };
  const inner = { position: [-2, 0.5, 4] as const, rotation: quatOfRollPitchYaw([1, 0.2, -0.6]) };
  const back = compose(outer, within(outer, inner));
  near(back.position, inner.position);
  near(back.rotation, inner.rotation);
});
