import { describe, expect, it } from 'vitest';

import { motion, point } from './fixtures';
import { drawnKeys, idsWithin, keyAt, keyName, leewayOf, playedOf, selectedBy, within } from './keys';

const frame = { from: 0, to: 4, widthPx: 400 };
const points = [point('1', 0), point('2', 1), point('3', 1.05), point('4', 3)];
const NONE = { ctrl: false, shift: false };

describe('hits', () => {
  it('are of the nearest key, if one is near', () => {
    expect([102, 103, 295, 50].map((x) => keyAt(points, frame, x)?.id)).toEqual(['2', '3', '4', undefined]);
  });

  it('are of keys that are drawn, once for those in one place unless they are selected', () => {
    const crowd = Array.from({ length: 1001 }, (_, place) => point(String(place), place / 250));
    expect(drawnKeys(crowd, frame, new Set()).length).toBeLessThan(250);
    expect(drawnKeys(crowd, frame, new Set(['501'])).some(({ place }) => place === 501)).toBe(true);
    expect(drawnKeys(points, { from: 0.9, to: 2, widthPx: 400 }, new Set()).map(({ place }) => place)).toEqual([1, 2]);
  });

  it('of a box are the keys in it, whichever way it is drawn', () => {
    expect(idsWithin(points, 0.5, 2)).toEqual(['2', '3']);
    expect(idsWithin(points, 2, 0.5)).toEqual(['2', '3']);
  });
});

describe('clicks', () => {
  const after = (before: string[], id: string, held = NONE, anchor?: string) => [...selectedBy(points, new Set(before), id, held, anchor)];

  it('select one alone', () => {
    expect(after(['1', '4'], '2')).toEqual(['2']);
  });

  it('add and take away with Ctrl', () => {
    expect(after(['1'], '2', { ctrl: true, shift: false })).toEqual(['1', '2']);
    expect(after(['1', '2'], '2', { ctrl: true, shift: false })).toEqual(['1']);
  });

  it('extend to the one before with Shift, and add where there is none', () => {
    expect(after(['4'], '2', { ctrl: false, shift: true }, '4')).toEqual(['2', '3', '4']);
    expect(after(['1', '4'], '3', { ctrl: true, shift: true }, '4')).toEqual(['1', '4', '3']);
    expect(after(['4'], '2', { ctrl: false, shift: true }, 'gone')).toEqual(['4', '2']);
  });
});

describe('leeway', () => {
  it('ends at the neighbours and at 0', () => {
    expect(leewayOf(points, new Set(['1']))).toEqual({ least: -0, most: 0.99 });
    const { least, most } = leewayOf(points, new Set(['2', '3']));
    expect(least).toBeCloseTo(-0.99, 9);
    expect(most).toBeCloseTo(1.94, 9);
    expect(leewayOf(points, new Set(['4'])).most).toBe(Number.POSITIVE_INFINITY);
  });

  it('lets those that are too near stay, and part', () => {
    const near = [point('1', 1), point('2', 1.002)];
    expect(leewayOf(near, new Set(['2']))).toEqual({ least: 0, most: Number.POSITIVE_INFINITY });
    expect(within(leewayOf(near, new Set(['2'])), -1)).toBe(0);
  });

  it('keeps times in order, whatever is moved by whatever', () => {
    for (let mask = 1; mask < 16; mask += 1) {
      const ids = new Set(points.filter((_, place) => (mask & (1 << place)) !== 0).map(({ id }) => id));
      for (const by of [-5, -0.3, 0.02, 7]) {
        const moved = within(leewayOf(points, ids), by);
        const times = points.map(({ id, time }) => (ids.has(id) ? time + moved : time));
        expect(times).toEqual([...times].sort((a, b) => a - b));
        expect(times[0]).toBeGreaterThanOrEqual(0);
      }
    }
  });
});

describe('what is played', () => {
  it('is from marker to marker, or between the ends that count', () => {
    expect(playedOf(motion(points, { start: '2', end: '4' }))).toEqual({ from: 1, to: 3, startMarked: true, endMarked: true });
    const off = [point('1', 0, { enabled: false }), point('2', 1), point('3', 2)];
    expect(playedOf(motion(off, { end: '3' }))).toEqual({ from: 1, to: 2, startMarked: false, endMarked: true });
    expect(playedOf(motion([]))).toBeUndefined();
  });

  it('is told of each key', () => {
    const told = motion(points, { start: '3' });
    expect(keyName(point('3', 1.5), 2, told)).toBe('Waypoint 3 at 1.50 s, start');
    expect(keyName(point('1', 0, { enabled: false, note: 'rest' }), 0, told)).toBe('Waypoint 1 at 0.00 s, off, rest');
  });
});
