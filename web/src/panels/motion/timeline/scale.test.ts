import { describe, expect, it } from 'vitest';

import { action, motion, point } from './fixtures';
import { aired, panned, revealing, rounded, roundStep, secsAt, snapped, ticksOf, wholeSpan, xOf, zoomed } from './scale';

const frame = { from: 1, to: 5, widthPx: 400 };

describe('times and pixels', () => {
  it('are one another’s reverse', () => {
    expect(xOf(frame, 2)).toBe(100);
    for (const secs of [-3, 1, 2.34, 5, 80]) {
      expect(secsAt(frame, xOf(frame, secs))).toBeCloseTo(secs, 9);
    }
  });

  it('are rounded to hundredths, unless they are to be free', () => {
    expect(snapped(1.2367, false)).toBe(1.24);
    expect(snapped(1.2367, true)).toBe(1.2367);
    expect(rounded(0.1 + 0.2, 0.05)).toBe(0.3);
  });
});

describe('what is seen', () => {
  it('is the whole motion, with actions after its end, at least a second', () => {
    expect(wholeSpan(motion([point('1', 0.5), point('2', 3)], { actions: [action('9', 4)] }))).toEqual({ from: 0, to: 4 });
    expect(wholeSpan(motion([]))).toEqual({ from: 0, to: 1 });
    expect(wholeSpan(motion([point('1', Number.NaN), point('2', Number.POSITIVE_INFINITY)]))).toEqual({ from: 0, to: 1 });
  });

  it('has the same air at both ends, in pixels', () => {
    const seen = { ...aired({ from: 0, to: 4 }, 428), widthPx: 428 };
    expect([xOf(seen, 0), xOf(seen, 4)].map((x) => Math.round(x))).toEqual([14, 414]);
    expect(aired({ from: 0, to: 4 }, 0).to).toBeLessThan(10);
  });

  it('keeps the time under the pointer in its place while it is zoomed', () => {
    for (const factor of [0.5, 0.9, 3, 1e-9, 1e9]) {
      const seen = { ...zoomed(frame, 100, factor), widthPx: frame.widthPx };
      expect(secsAt(seen, 100)).toBeCloseTo(2, 6);
      expect(seen.to).toBeGreaterThan(seen.from);
    }
  });

  it('is not panned away from the motion', () => {
    const whole = { from: 0, to: 4 };
    expect(panned(frame, 100, whole)).toEqual({ from: 2, to: 6 });
    expect(panned(frame, 1e9, whole).from).toBeLessThan(4);
    expect(panned(frame, -1e9, whole).to).toBeGreaterThan(0);
  });

  it('goes to a time that is out of sight, and stays when it is not', () => {
    expect(revealing(frame, 2)).toEqual({ from: 1, to: 5 });
    expect(revealing(frame, 20)).toEqual({ from: 18, to: 22 });
  });
});

describe('the ruler', () => {
  it('writes round times that can be read', () => {
    const texts = (from: number, to: number, widthPx: number) =>
      ticksOf({ from, to, widthPx }).map(({ text }) => text).filter((text) => text !== '').join(' ');
    expect(texts(0, 4, 400)).toBe('0 1 2 3 4');
    expect(texts(0, 4, 900)).toBe('0.0 0.5 1.0 1.5 2.0 2.5 3.0 3.5 4.0');
    expect(texts(-0.05, 0.1, 200)).toBe('−0.05 0.00 0.05 0.10');
    expect(texts(0, 300, 200)).toBe('0 100 200 300');
    expect(texts(0, 0, 200)).toBe('');
  });

  it('steps in ones, twos and fives', () => {
    expect([0.07, 0.1, 1.5, 3, 6, 40].map(roundStep)).toEqual([0.1, 0.1, 2, 5, 10, 50]);
  });
});
