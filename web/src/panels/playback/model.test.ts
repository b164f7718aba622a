import { expect, it } from 'vitest';

import type { LogFile, Mark } from '../../world/playback';
import { hoverText, markBeside, marksOf, markTitle, secsAt, segmentsOf, shareOf, spokenPlace, ticksOf } from './model';

const mark = (kind: Mark['kind'], atSecs: number, rest: Partial<Mark> = {}): Mark =>
  ({ kind, atSecs, text: '', author: '', fromSecs: 0, toSecs: 0, ...rest });

/** Ten seconds: 0 to 6 s, back to 2 s, and on to 6 s. */
const file: LogFile = {
  name: 'a.mcap',
  path: 'logs/a.mcap',
  lengthSecs: 10,
  stretches: [
    { epoch: 0, beginSecs: 0, endSecs: 6, simSecs: 0 },
    { epoch: 1, beginSecs: 6, endSecs: 10, simSecs: 2 },
  ],
  marks: [
    mark('command', 1, { text: 'Move cone_1', author: 'page 1' }),
    mark('command', 1.01, { text: 'Move cone_2' }),
    mark('gap', 4, { text: '50 states are missing', fromSecs: 4, toSecs: 4.5 }),
    mark('jump', 6, { text: 'undo', author: 'page 1', fromSecs: 6, toSecs: 2 }),
  ],
  damage: [],
};

it('places and times are the inverse of one another, and stay inside', () => {
  for (const secs of [0, 2.5, 10]) {
    expect(secsAt(file, shareOf(file, secs))).toBeCloseTo(secs, 12);
  }
  expect([shareOf(file, -1), shareOf(file, 11), secsAt(file, -1), secsAt(file, 2)]).toEqual([0, 1, 0, 10]);
  expect(shareOf({ lengthSecs: 0 }, 3)).toBe(0);
});

it('stretches are segments, every other one shaded', () => {
  expect(segmentsOf(file)).toEqual([
    { left: 0, width: 0.6, epoch: 0, shaded: false, title: 'Epoch 0: sim 0.00 s to 6.00 s' },
    { left: 0.6, width: 0.4, epoch: 1, shaded: true, title: 'Epoch 1: sim 2.00 s to 6.00 s' },
  ]);
});

it('marks say who did what', () => {
  expect(file.marks.map(markTitle)).toEqual([
    'Move cone_1 by page 1, rec 1.00 s',
    'Move cone_2, rec 1.01 s',
    '50 states are missing, rec 4.00 s',
    'undo by page 1: 6.00 s → 2.00 s',
  ]);
});

it('marks that are too near become one, but not with those of another kind', () => {
  const shapes = marksOf(file, 0.005);
  expect(shapes.map(({ kind, left, count }) => [kind, left, count])).toEqual([
    ['gap', 0.4, 1], ['command', 0.1, 2], ['jump', 0.6, 1],
  ]);
  expect(shapes.at(-1)?.forwards).toBe(false);
  expect(shapes[0]?.width).toBeCloseTo(0.05, 12);
  expect(shapes[1]?.title).toBe('Move cone_1 by page 1, rec 1.00 s\nMove cone_2, rec 1.01 s');
  expect(marksOf(file, 0).map(({ count }) => count)).toEqual([1, 1, 1, 1]);
});

it('many at one place say how many', () => {
  const many = { ...file, marks: Array.from({ length: 20 }, () => mark('command', 3, { text: 'Move' })) };
  const [shape, ...rest] = marksOf(many, 0.01);
  expect(rest).toEqual([]);
  expect(shape?.title.split('\n').at(-1)).toBe('… and 12 more');
});

it('the keys find the mark before and the mark after', () => {
  expect(markBeside(file, 2, 'after')).toBe(4);
  expect(markBeside(file, 4, 'after')).toBe(6);
  expect(markBeside(file, 4, 'before')).toBe(1.01);
  expect(markBeside(file, 0, 'before')).toBeUndefined();
  expect(markBeside(file, 9, 'after')).toBeUndefined();
});

it('pointing at a place tells both times, after a jump those of the later stretch', () => {
  expect(hoverText(file, 0.3)).toBe('rec 3.00 s · sim 3.00 s');
  expect(hoverText(file, 0.6)).toBe('rec 6.00 s · sim 2.00 s');
  expect(hoverText(file, 1)).toBe('rec 10.00 s · sim 6.00 s');
  expect(hoverText({ ...file, stretches: [] }, 0.3)).toBe('rec 3.00 s');
});

it('screen readers hear where it is', () => {
  const place = { atSecs: 7, simSecs: 3, epoch: 1, pass: 1, passes: 2, playing: false, speed: 1, repeat: false };
  expect(spokenPlace(file, place)).toBe('Simulated time 3.00 s, recording 7.00 s of 10.00 s, epoch 1');
});

it.each([
  [10, ['0 s', '2 s', '4 s', '6 s', '8 s', '10 s']],
  [0.5, ['0.0 s', '0.1 s', '0.2 s', '0.3 s', '0.4 s', '0.5 s']],
  [70, ['0 s', '15 s', '30 s', '45 s', '1:00']],
  [7300, ['0 s', '30:00', '1:00:00', '1:30:00', '2:00:00']],
  [0, []],
])('a log of %d s has round times below it', (lengthSecs, texts) => {
  expect(ticksOf({ lengthSecs }, 6).map(({ text }) => text)).toEqual(texts);
});

it('there are never more times than wanted, and one at the beginning', () => {
  for (const lengthSecs of [0.003, 1, 3.7, 9.99, 60, 61, 599, 4000, 1e5, 1e6]) {
    const ticks = ticksOf({ lengthSecs }, 8);
    expect(ticks.length).toBeGreaterThan(1);
    expect(ticks.length).toBeLessThanOrEqual(9);
  }
});
