import { expect, it } from 'vitest';

import { copied, pasteEdit, pasteTime } from './clipboard';
import { motionWith, pointWith } from './testing';

const motion = motionWith({ waypoints: [pointWith('1', 0, [0.5]), pointWith('2', 1, [1]), pointWith('3', 2.5, [2])] });

it('copies whole waypoints, with their joints', () => {
  const clipboard = copied(motion, new Set(['3', '2']));
  expect(clipboard?.joints).toEqual(['elbow']);
  expect(clipboard?.points.map(({ id }) => id)).toEqual(['2', '3']);
  expect(copied(motion, new Set(['9']))).toBeUndefined();
});

it('puts them in without their ids', () => {
  const clipboard = copied(motion, new Set(['2']));
  expect(clipboard && pasteEdit(clipboard, 4)).toEqual({
    case: 'paste',
    value: { joint: ['elbow'], at: 4, waypoint: [{ time: 1, enabled: true, note: '', position: [1], velocity: [], acceleration: [] }] },
  });
});

it('begins at the cursor, else after the end', () => {
  expect(pasteTime(motion, 0.25)).toBe(0.25);
  expect(pasteTime(motion, undefined)).toBe(3.5);
  expect(pasteTime(motionWith(), undefined)).toBe(0);
});
