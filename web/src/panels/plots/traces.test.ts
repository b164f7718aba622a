import { describe, expect, it } from 'vitest';

import type { Trace } from '../../world/plotFrame';
import { strokeLine, strokeSteps } from './strokes';
import { extent, extentOfX, indexBefore, nearestPoint, niceStep, roomy, valueBefore } from './traces';

function trace(curveId: string, points: readonly (readonly [number, number])[], discarded = false): Trace {
  return {
    curveId,
    discarded,
    thinned: false,
    x: Float64Array.from(points.map(([x]) => x)),
    y: Float64Array.from(points.map(([, y]) => y)),
  };
}

const GAP = Number.NaN;
const WAVE = trace('w', [[0, 0], [1, 5], [2, GAP], [3, -2], [4, Number.POSITIVE_INFINITY]]);

describe('the values of traces', () => {
  it('reach from the least to the greatest that is finite', () => {
    expect(extent([WAVE])).toEqual({ min: -2, max: 5 });
    expect(extentOfX([WAVE])).toEqual({ min: 0, max: 4 });
    expect(extent([trace('e', [[1, GAP]])])).toBeUndefined();
    expect(extent([])).toBeUndefined();
  });

  it('count where they are in view, and just beside it, where lines lead to', () => {
    const steps = trace('s', [[0, 100], [1, 1], [2, 2], [3, 3], [4, 200]]);
    expect(extent([steps], { min: 1.5, max: 2.5 })).toEqual({ min: 1, max: 3 });
    expect(extent([steps], { min: 10, max: 20 })).toEqual({ min: 200, max: 200 });
  });

  it('are those at or before an instant, never after', () => {
    const live = trace('c', [[0, 1], [1, 2], [2, GAP], [3, 4]]);
    const undone = trace('c', [[1, 70], [5, 80]], true);
    const at = (x: number): number | undefined => valueBefore([undone, live], 'c', x);
    expect([at(-1), at(0), at(0.9), at(1), at(2.5), at(3), at(99)]).toEqual([undefined, 1, 1, 2, undefined, 4, 4]);
    expect(valueBefore([live], 'other', 1)).toBeUndefined();
    // A curve in two pieces takes the later of them.
    expect(valueBefore([trace('c', [[5, 9]]), live], 'c', 6)).toBe(9);
  });
});

it('finds the place of an instant as a search from the front would', () => {
  const xs = Float64Array.from({ length: 57 }, (_, i) => Math.floor(i / 2) * 1.5);
  for (let x = -1; x < 50; x += 0.25) {
    expect(indexBefore(xs, x)).toBe(xs.filter((other) => other <= x).length - 1);
  }
});

describe('an axis', () => {
  it.each([
    [{ min: -1, max: 1 }], [{ min: 3, max: 3 }], [{ min: 0, max: 0 }], [{ min: -1e-7, max: 2e-7 }], [{ min: 1e9, max: 1e9 + 1 }],
  ])('has room around %o', (values) => {
    const range = roomy(values);
    expect(range.min).toBeLessThan(values.min);
    expect(range.max).toBeGreaterThan(values.max);
    expect(range.max - range.min).toBeLessThan(3 * Math.max(values.max - values.min, 0.2 * Math.max(1, Math.abs(values.max))));
  });

  it('holds still while values only wander a little', () => {
    expect(roomy({ min: -0.99, max: 0.985 })).toEqual(roomy({ min: -0.992, max: 0.99 }));
  });

  it('ends where the layout says', () => {
    expect(roomy({ min: -5, max: 5 }, { min: 0, max: 2 })).toEqual({ min: 0, max: 2 });
    expect(roomy({ min: -5, max: 5 }, { max: 20 }).max).toBe(20);
    expect(roomy(undefined)).toMatchObject({ max: expect.any(Number) as number });
  });

  it('goes in steps of 1, 2 and 5', () => {
    expect([0.9, 1, 1.1, 3, 7, 0.03, 400].map(niceStep)).toEqual([1, 1, 2, 5, 10, 0.05, 500].map((step) => expect.closeTo(step, 9) as number));
  });
});

it('finds the sample that is nearest on screen', () => {
  const near = nearestPoint([trace('a', [[0, 0], [1, GAP]]), trace('b', [[2, 10]])], { x: 1.5, y: 5 }, 100, 1);
  expect(near).toEqual({ curveId: 'b', x: 2, y: 10 });
  expect(nearestPoint([], { x: 0, y: 0 }, 1, 1)).toBeUndefined();
});

describe('a pen', () => {
  const unit = { offset: 0, factor: 1 };
  function strokes(stroke: typeof strokeLine, { x, y }: Trace): string {
    const done: string[] = [];
    const pen = { moveTo: (px: number, py: number) => done.push(`M${px},${py}`), lineTo: (px: number, py: number) => done.push(`L${px},${py}`) };
    stroke(pen, x, y, unit, unit);
    return done.join(' ');
  }

  it('is lifted at gaps, and leaves a dot for a lone sample', () => {
    expect(strokes(strokeLine, WAVE)).toBe('M0,0 L1,5 M3,-2 L4,-2');
    expect(strokes(strokeLine, trace('d', [[1, GAP], [2, 7], [3, GAP], [4, 1], [5, 2]]))).toBe('M2,7 L3,7 M4,1 L5,2');
  });

  it('keeps each value until the next sample in steps', () => {
    expect(strokes(strokeSteps, trace('s', [[0, 1], [1, 2], [2, GAP], [3, 4], [4, 5]]))).toBe('M0,1 L1,1 L1,2 L2,2 M3,4 L4,4 L4,5');
  });
});
