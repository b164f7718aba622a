import { create } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';

import { WorldStatisticsSchema } from '../protocol/generated/retake/msgs/world_pb';
import { standsFor } from './standstill';

function seen(realTimeFactor: number, paused: boolean, stepsDue = 0n): readonly string[] {
  const waitsFor = ['gripper'];
  return standsFor(create(WorldStatisticsSchema, { realTimeFactor, paused, stepsDue, waitsFor }));
}

it('names what a world waits for that runs and stands still', () => {
  expect(seen(0, false)).toEqual(['gripper']);
  expect(seen(0.001, false), 'it seems to stand').toEqual(['gripper']);
  expect(seen(0, true, 1n), 'a single step of a paused world').toEqual(['gripper']);
});

it('names nothing that a world waits for in passing, or that is paused', () => {
  expect(seen(0.5, false)).toEqual([]);
  expect(seen(0, true)).toEqual([]);
  expect(standsFor(undefined)).toEqual([]);
});
