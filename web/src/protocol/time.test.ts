import { expect, it } from 'vitest';

import { secsOf, timeOf } from './time';

it('seconds become times and come back', () => {
  expect(timeOf(1.5)).toEqual({ sec: 1n, nsec: 500_000_000 });
  expect(timeOf(0.001 * 3)).toEqual({ sec: 0n, nsec: 3_000_000 });
  expect(timeOf(2.9999999999)).toEqual({ sec: 3n, nsec: 0 });
  for (const millis of [0, 1, 999, 1000, 123_457, 86_400_001]) {
    expect(secsOf(timeOf(millis / 1000))).toBe(millis / 1000);
  }
});
