import { describe, expect, it } from 'vitest';

import { boxAxes, boxed, panned, sane, sideAt, viewOfKey, wheelFactor, xAt, xPixel, yAt, yPixel, zoomed } from './view';

const AREA = { left: 50, top: 10, width: 200, height: 100 };
const RANGES = [{ min: 0, max: 10 }, { min: -3, max: -1 }, { min: 1e6, max: 1e6 + 0.5 }, { min: -1e-6, max: 1e-6 }];

describe('a range', () => {
  it.each(RANGES)('keeps what is under the mouse while it is zoomed ($min to $max)', (range) => {
    for (const share of [0, 0.3, 1]) {
      const about = range.min + share * (range.max - range.min);
      const near = zoomed(range, 0.5, about);
      expect((about - near.min) / (near.max - near.min)).toBeCloseTo(share, 6);
      expect(near.max - near.min).toBeCloseTo((range.max - range.min) / 2, 9);
    }
  });

  it.each(RANGES)('comes back from pixels as it went there ($min to $max)', (range) => {
    for (const pixel of [60, 123, 240]) {
      expect(xPixel(xAt(pixel, AREA, range), AREA, range)).toBeCloseTo(pixel, 3);
      expect(yPixel(yAt(pixel, AREA, range), AREA, range)).toBeCloseTo(pixel, 3);
    }
  });

  it('is never too short, too long or upside down', () => {
    let range = { min: 5, max: 6 };
    for (let i = 0; i < 500; i += 1) {
      range = zoomed(range, 0.5, 5.2);
    }
    expect(range.max).toBeGreaterThan(range.min);
    expect(range.min).toBeCloseTo(5.2, 6);
    for (let i = 0; i < 500; i += 1) {
      range = zoomed(range, 2, 5.2);
    }
    expect(Number.isFinite(range.max - range.min)).toBe(true);
    expect(sane({ min: 2, max: 1 })).toEqual({ min: 1, max: 2 });
    expect(sane({ min: Number.NaN, max: 1 })).toEqual({ min: 0, max: 1 });
    expect(sane({ min: 1e9, max: 1e9 }).max).toBeGreaterThan(1e9);
  });

  it('is panned and zoomed by keys', () => {
    expect(panned({ min: 1, max: 2 }, -1)).toEqual({ min: 0, max: 1 });
    expect(viewOfKey('ArrowRight', { min: 0, max: 10 })).toEqual({ min: 1, max: 11 });
    expect(viewOfKey('+', { min: 0, max: 10 })).toEqual({ min: 1, max: 9 });
    expect(viewOfKey('x', { min: 0, max: 10 })).toBeUndefined();
  });
});

it('zooms in by turning the wheel one way and out by the other', () => {
  expect(wheelFactor(-100) * wheelFactor(100)).toBeCloseTo(1, 9);
  expect(wheelFactor(-100)).toBeLessThan(1);
  expect(wheelFactor(1e6)).toBe(wheelFactor(400));
});

describe('a box', () => {
  it('is meant for the axes along which it is long', () => {
    expect(boxAxes({ x0: 0, y0: 0, x1: 50, y1: 3 })).toEqual({ x: true, y: false });
    expect(boxAxes({ x0: 50, y0: 40, x1: 49, y1: 0 })).toEqual({ x: false, y: true });
    expect(boxAxes({ x0: 0, y0: 0, x1: 3, y1: 3 })).toEqual({ x: false, y: false });
  });

  it('has the same inside whichever corner comes first', () => {
    const x = { min: 0, max: 10 };
    const y = { min: -1, max: 1 };
    const inside = { x: { min: 2.5, max: 5 }, y: { min: 0, max: 0.5 } };
    expect(boxed({ x0: 100, y0: 35, x1: 150, y1: 60 }, AREA, x, y)).toEqual(inside);
    expect(boxed({ x0: 150, y0: 60, x1: 100, y1: 35 }, AREA, x, y)).toEqual(inside);
  });
});

it('knows which axis the mouse is over', () => {
  expect([sideAt(10, 50, AREA), sideAt(260, 50, AREA), sideAt(100, 115, AREA), sideAt(100, 50, AREA)]).toEqual(['left', 'right', 'x', 'all']);
});
