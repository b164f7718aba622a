import { expect, it } from 'vitest';

import { exampleTimeline, gappyTimeline } from '../../world/timelineTesting';
import { lineOf, nearestKept, partingSecs } from './lines';
import {
  arrowSecs, axisOf, deletionText, freeName, hoverText, isNow, lanesOf, limitsFrom, lineLane, markBeside, nameProblem, partnerOf, placeAt, spokenPlace, usageOf,
} from './model';

const AXIS = { fromSecs: 0, toSecs: 10 };

function gappy(untilSecs = 3, endSecs = 4) {
  return gappyTimeline(untilSecs, endSecs);
}

it('a line leads through the branches that a branch came from', () => {
  const timeline = exampleTimeline();
  const spans = (name: string) => lineOf(timeline, name, 2.6)?.parts.map(({ branch, fromSecs, toSecs }) => `${branch} ${fromSecs}-${toSecs}`);
  expect(spans('main')).toEqual(['main 0-1.5', 'main 1.5-2.6']);
  // Of main only what came before the fork leads to the others.
  expect(spans('main-1')).toEqual(['main 0-1.5', 'main 1.5-1.5', 'main-1 1.5-5.7']);
  expect(spans('trial')).toEqual(['main 0-1', 'trial 1-3']);
  expect(lineOf(timeline, 'nobody', 2)).toBeUndefined();
});

it('lines are the same until they part', () => {
  const lines = ['main', 'main-1', 'trial'].map((name) => lineOf(exampleTimeline(), name, 2.6));
  const parting = (a: number, b: number) => lines[a] && lines[b] && partingSecs(lines[a], lines[b]);
  expect([parting(0, 1), parting(1, 0), parting(0, 2), parting(1, 2)]).toEqual([1.5, 1.5, 1, 1]);
});

it('what is not kept is passed over to the first instant that is', () => {
  const line = lineOf(gappy(), 'main', 4);
  expect(line && [0, 2.9, 3, 3.5, 9].map((secs) => nearestKept(line, secs))).toEqual([3, 3, 3, 3.5, 4]);
  expect(placeAt(gappy(), 'main', 4, 1)).toEqual({ branch: 'main', secs: 3 });
  expect(placeAt(gappy(), 'nobody', 4, 1)).toBeUndefined();
  expect(line && hoverText(line, { fromSecs: 0, toSecs: 4 }, 0.25)).toBe('1.000 s is not kept · first is 3.000 s');
});

it('the axis has room for all branches, in steps, and a long gap takes little of it', () => {
  expect(axisOf(exampleTimeline(), 2.5)).toEqual({ fromSecs: 0, toSecs: 10 });
  expect(axisOf(exampleTimeline(), 10.1)).toEqual({ fromSecs: 0, toSecs: 15 });
  const { fromSecs, toSecs } = axisOf(gappy(100, 120), 120);
  expect([fromSecs, toSecs]).toEqual([97, 127]);
  expect(axisOf(exampleTimeline({ branch: [] }), 0)).toEqual({ fromSecs: 0, toSecs: 1 });
});

it('lanes show each stretch once, with jumps, forks, flags and gaps', () => {
  const [main, left, trial] = lanesOf(exampleTimeline(), 2.6, AXIS);
  expect(main?.bars.map(({ kind, left: at, width }) => [kind, at, +width.toFixed(6)])).toEqual([['kept', 0, 0.15], ['kept', 0.15, 0.11]]);
  expect(main?.marks.map(({ kind, atSecs }) => [kind, atSecs])).toEqual([['jump', 1.5], ['bookmark', 0.5]]);
  expect([main?.fork, main?.end]).toEqual([undefined, 0.26]);
  expect([left?.fork, left?.caption]).toEqual([{ left: 0.15, rowsUp: 1 }, 'Left at 5.700 s by cli-848: Resume from 1.500 s']);
  expect([trial?.fork?.rowsUp, trial?.title]).toEqual([2, 'trial, from 1.000 s of main, ends at 3.000 s\nLeft at 3.000 s by page 1: Switch to main']);
  const [lane] = lanesOf(gappy(), 4, AXIS);
  expect(lane?.bars.map(({ kind, title }) => [kind, title])).toEqual([
    ['kept', ''],
    ['gap', '0.000 s to 3.000 s is not kept any more: there was no room for it'],
  ]);
});

it('one line alone shows where others leave it', () => {
  const timeline = exampleTimeline();
  const [main, left] = timeline.branches;
  const marks = main && lineLane(timeline, main, 2.5, AXIS).marks.map(({ kind, atSecs }) => [kind, atSecs]);
  expect(marks).toEqual([['fork', 1.5], ['fork', 1], ['bookmark', 0.5]]);
  // From the other one main leaves at no place of its own, and the trial at 1 s.
  const others = left && lineLane(timeline, left, 2.5, AXIS).marks.map(({ kind, atSecs }) => [kind, atSecs]);
  expect(others).toEqual([['fork', 1], ['bookmark', 0.5]]);
});

it('keys go a little way, and from mark to mark', () => {
  expect(arrowSecs(AXIS, 0.001)).toBe(0.05);
  expect(arrowSecs({ fromSecs: 0, toSecs: 1 }, 0.02)).toBe(0.02);
  const [main] = lanesOf(exampleTimeline(), 2.5, AXIS);
  const beside = (secs: number, direction: 'before' | 'after') => markBeside(main?.marks ?? [], secs, direction)?.atSecs;
  expect([beside(0, 'after'), beside(0.5, 'after'), beside(1.5, 'after'), beside(1.5, 'before')]).toEqual([0.5, 1.5, undefined, 0.5]);
});

it('the end of the live branch is the present, that of another is not', () => {
  const timeline = exampleTimeline();
  expect(isNow(timeline, { branch: 'main', secs: 2.5 }, 2.5)).toBe(true);
  expect(isNow(timeline, { branch: 'main', secs: 2.4 }, 2.5)).toBe(false);
  expect(isNow(timeline, { branch: 'main-1', secs: 5.7 }, 2.5)).toBe(false);
});

it('says where the page is, what is kept and what is lost', () => {
  const { branches } = exampleTimeline();
  expect(spokenPlace(undefined, branches[0], 2.5)).toBe('Live, 2.500 s on main');
  expect(spokenPlace({ branch: 'trial', secs: 1.5 }, branches[0], 2.5)).toBe('Past, 1.500 s on trial');
  expect(usageOf(exampleTimeline())).toBe('29 states · 3.8 MiB of 256 MiB · up to 30:00.000 back');
  expect(usageOf(exampleTimeline({ dropped: 2n }))).toMatch(/ · 2 dropped for lack of room$/u);
  expect(deletionText('branch', branches[1])).toBe('4.200 s of the past are forgotten, for everybody. This cannot be undone');
  expect(deletionText('bookmark', undefined)).toMatch(/^The name is gone/u);
  expect([partnerOf(branches, 'trial'), partnerOf(branches, 'main')]).toEqual(['main', 'main-1']);
});

it('names and limits are checked before they are sent', () => {
  expect(nameProblem('  ', [], 'branch')).toBe('Give the branch a name');
  expect(nameProblem('x'.repeat(65), [], 'branch')).toBe('A name has at most 64 characters');
  expect(nameProblem(' main ', ['main'], 'branch')).toBe('There is a branch named “main” already');
  expect(nameProblem('other', ['main'], 'branch')).toBeUndefined();
  expect(freeName('mark', ['mark 1', 'mark 3'])).toBe('mark 2');
  expect(limitsFrom('64', ' 600 ')).toEqual({ limits: { maxBytes: 67_108_864, maxAgeSecs: 600 } });
  expect(limitsFrom('-1', '600')).toEqual({ problem: 'The memory is a whole number of MiB, 0 to 1048576' });
  expect(limitsFrom('1', '0')).toEqual({ problem: 'The reach is a whole number of seconds, 1 to 1000000000' });
});
