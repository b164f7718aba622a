import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import type { EditBody } from '../../../world/teaching';
import { Dragging } from './dragging.svelte';
import { motion, point } from './fixtures';
import { keysMove } from './moves';

const grabbed = point('2', 1);
const told = motion([point('1', 0), grabbed]);
const move = keysMove(told.waypoints, new Set(['2']), grabbed);
const times = (dragging: Dragging, of = told) => dragging.motionOf(of).waypoints.map(({ time }) => time);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('shows a drag at once, and after it until the host has told it', () => {
  const sent: EditBody[] = [];
  const dragging = new Dragging((edit) => sent.push(edit));
  dragging.begin(move, told);
  dragging.to(0.5);
  expect([times(dragging), dragging.active]).toEqual([[0, 1.5], true]);
  dragging.finish();
  dragging.settle(told);
  expect([times(dragging), dragging.active]).toEqual([[0, 1.5], false]);
  const now = motion([point('1', 0), point('2', 1.5)]);
  dragging.settle(now);
  // What somebody else does then is seen.
  expect(times(dragging, motion([point('1', 0), point('2', 3)]))).toEqual([0, 3]);
  expect(sent).toHaveLength(1);
});

it('forgets a drag that the host does not take', () => {
  const dragging = new Dragging(() => undefined);
  dragging.begin(move, told);
  dragging.to(0.5);
  dragging.finish();
  vi.advanceTimersByTime(1000);
  expect(times(dragging)).toEqual([0, 1]);
});

it('puts all back when a drag is given up, with an edit of the same stroke', () => {
  const strokes: string[] = [];
  const dragging = new Dragging((_, stroke) => strokes.push(stroke));
  dragging.begin(move, told);
  dragging.to(0.5);
  dragging.cancel();
  expect([times(dragging), dragging.active]).toEqual([[0, 1], false]);
  expect([strokes.length, new Set(strokes).size]).toEqual([2, 1]);
});
