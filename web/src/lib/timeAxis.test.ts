import { expect, it } from 'vitest';

import { readableTicks, secsAtShare, shareIn, ticksIn } from './timeAxis';

it('times and places are the same in both directions', () => {
  const range = { fromSecs: 10, toSecs: 14 };
  expect(shareIn(range, 11)).toBe(0.25);
  expect(secsAtShare(range, 0.25)).toBe(11);
  expect([shareIn(range, 3), shareIn(range, 99), secsAtShare(range, 7)]).toEqual([0, 1, 14]);
  expect(shareIn({ fromSecs: 2, toSecs: 2 }, 2)).toBe(0);
});

it('ticks are round times, also when the beginning is not', () => {
  expect(ticksIn({ fromSecs: 0.7, toSecs: 3.2 }, 4).map(({ text }) => text)).toEqual(['1 s', '2 s', '3 s']);
  expect(ticksIn({ fromSecs: 50, toSecs: 170 }, 5).map(({ text }) => text)).toEqual(['1:00', '1:30', '2:00', '2:30']);
  expect(ticksIn({ fromSecs: 1, toSecs: 1 }, 5)).toEqual([]);
});

it('leaves out the text that the last one would run into', () => {
  const ticks = [{ left: 0.9, text: '0.9 s' }, { left: 0.95, text: '0.95 s' }, { left: 1, text: '1 s' }];
  expect(readableTicks(ticks, 1000).map(({ text }) => text)).toEqual(['0.9 s', '', '1 s']);
  expect(readableTicks(ticks, 4000).map(({ text }) => text)).toEqual(['0.9 s', '0.95 s', '1 s']);
  expect(readableTicks(ticks.slice(0, 2), 1000).map(({ text }) => text)).toEqual(['0.9 s', '0.95 s']);
});
