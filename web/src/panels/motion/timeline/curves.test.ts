import { describe, expect, it } from 'vitest';

import type { MotionWarning, WarningKind } from '../../../world/teaching';
import {
  axisUnitOf, dotsOf, drawnKnots, gridOf, knotAt, knotsIn, knotsOf, limitsOf, lineAt, linesOf, pathOf, quantityOf, rangeOf, sampleAt, unitOf, valueAt, warningMarks, wrongStretches, yOf, QUANTITIES,
} from './curves';
import { curve, draft, joint, motion, point } from './fixtures';

const frame = { from: 0, to: 4, widthPx: 400 };
const sheet = { low: -1, high: 1, heightPx: 100 };
const points = [point('1', 0, { positions: [0, 0.5] }), point('2', 2, { positions: [1, 0.5], enabled: false }), point('3', 4, { positions: [0.8, 0] })];
const taught = draft(motion(points), { curves: { from: 0, to: 4, joints: [curve(0, 0.5, 1.2, 0.9, 0.8), curve(0.5, 0.6, 0.5, 0.2, 0)] } });
const both = new Set(['shoulder', 'elbow']);

function warning(kind: WarningKind, name: string, time: number): MotionWarning {
  return { kind, joint: name, time, value: 0, limit: 0, text: kind, refused: false };
}

describe('values and pixels', () => {
  it('are one another’s reverse, up is more', () => {
    expect(yOf(sheet, 1)).toBe(0);
    expect(yOf(sheet, -1)).toBe(100);
    expect(valueAt(sheet, yOf(sheet, 0.3))).toBeCloseTo(0.3, 9);
  });

  it('have a grid of round values', () => {
    expect(gridOf(sheet).map(({ value, text }) => [value, text])).toEqual([[-1, '−1.0'], [-0.5, '−0.5'], [0, '0.0'], [0.5, '0.5'], [1, '1.0']]);
    expect(gridOf(sheet, 180 / Math.PI).map(({ text }) => text)).toEqual(['−50', '0', '50']);
    expect(gridOf({ low: 0, high: 1e9, heightPx: 0 }).length).toBeLessThanOrEqual(100);
  });
});

describe('lines', () => {
  it('are those of the shown joints, in colours by their place', () => {
    expect(linesOf(taught, new Set(['elbow', 'gone']), 'position').map(({ joint: { name }, place }) => [name, place])).toEqual([['elbow', 1]]);
    expect(linesOf(draft(motion(points)), both, 'position').map(({ values }) => values.length)).toEqual([0, 0]);
  });

  it('have values between their samples, and none beyond them', () => {
    const [line] = linesOf(taught, both, 'position');
    expect(line && [0.5, 1, 3.5].map((secs) => sampleAt(line, secs)?.toFixed(3))).toEqual(['0.250', '0.500', '0.850']);
    expect(line && [sampleAt(line, -0.1), sampleAt(line, 4.1)]).toEqual([undefined, undefined]);
  });

  it('leave out what is not seen, and what is no number', () => {
    const [line] = linesOf(draft(motion(points), { curves: { from: 0, to: 4, joints: [curve(0, Number.NaN, 1, 0.5, 0)] } }), both, 'position');
    expect(line && pathOf(line, frame, sheet)).toBe('M0.0 50.0L200.0 0.0L300.0 25.0L400.0 50.0');
    const late = { from: 3.2, to: 3.8, widthPx: 60 };
    expect(line && pathOf(line, late, sheet)).toBe('M-120.0 0.0L-20.0 25.0L80.0 50.0');
  });

  it('are hit where they are near', () => {
    const lines = linesOf(taught, both, 'position');
    expect(lineAt(lines, frame, sheet, [1, yOf(sheet, 0.52)])?.joint.name).toBe('shoulder');
    expect(lineAt(lines, frame, sheet, [1, yOf(sheet, 0.58)])?.joint.name).toBe('elbow');
    expect(lineAt(lines, frame, sheet, [1, yOf(sheet, -0.5)])).toBeUndefined();
  });
});

describe('the range', () => {
  it('holds all lines and keys, with air', () => {
    const { low, high } = rangeOf(linesOf(taught, both, 'position'), [-2, Number.NaN]);
    expect(low).toBeLessThan(-2);
    expect(high).toBeGreaterThan(1.2);
    expect(rangeOf([], [])).toEqual({ low: -1, high: 1 });
    const flat = rangeOf([], [3]);
    expect(flat.high).toBeGreaterThan(flat.low);
  });

  it('holds the limits of one line that is near them', () => {
    const [line] = linesOf(taught, new Set(['shoulder']), 'position');
    expect(line && rangeOf([{ ...line, limits: { low: -100, high: 2 } }], []).high).toBeGreaterThan(2);
    expect(line && rangeOf([{ ...line, limits: { low: -100, high: 2 } }], []).low).toBeGreaterThan(-1);
  });
});

describe('limits', () => {
  it('are those of the joint, and of the motion where that is stricter', () => {
    const strict = motion([], { maxVelocity: 1.5 });
    expect(limitsOf(joint('a'), strict, 'position')).toEqual({ low: -1, high: 1 });
    expect(limitsOf(joint('a'), strict, 'velocity')).toEqual({ low: -1.5, high: 1.5 });
    expect(limitsOf(joint('a'), motion([]), 'velocity')).toEqual({ low: -2, high: 2 });
    expect(limitsOf(joint('a'), strict, 'acceleration').high).toBe(Number.POSITIVE_INFINITY);
  });

  it('are written in the unit of the joint, or in degrees', () => {
    expect(QUANTITIES.map((each) => unitOf(joint('a'), each, 'rad').name)).toEqual(['rad', 'rad/s', 'rad/s²']);
    expect(QUANTITIES.map((each) => unitOf(joint('a'), each, 'deg').name)).toEqual(['°', '°/s', '°/s²']);
    const slide = motion([], { joints: [joint('shoulder'), joint('elbow', { unit: 'm' })] });
    expect(axisUnitOf(linesOf(draft(slide), both, 'velocity'), 'velocity', 'deg')).toEqual({ name: 'rad/s, m/s', factor: 1 });
    expect(axisUnitOf(linesOf(taught, both, 'velocity'), 'velocity', 'deg').factor).toBeCloseTo(57.2958, 3);
  });
});

describe('keys on curves', () => {
  const knots = knotsOf(linesOf(taught, both, 'position'), points, frame, sheet);

  it('are where the waypoints are', () => {
    expect(knots.map(({ id, line, x, y, enabled }) => [id, line.place, x, Math.round(y), enabled])).toEqual([
      ['1', 0, 0, 50, true], ['2', 0, 200, 0, false], ['3', 0, 400, 10, true],
      ['1', 1, 0, 25, true], ['2', 1, 200, 25, false], ['3', 1, 400, 50, true],
    ]);
    expect(knotsOf(linesOf(taught, both, 'position'), points, { from: 1, to: 3, widthPx: 400 }, sheet)).toHaveLength(2);
  });

  it('are hit where they are near, the selected ones sooner', () => {
    expect(knotAt(knots, 203, 3, new Set())?.id).toBe('2');
    expect(knotAt(knots, 230, 3, new Set())).toBeUndefined();
    const close = [0, 3].map((x, place) => ({ ...(knots[0] ?? expect.fail()), id: String(place), x, y: 0 }));
    expect(knotAt(close, 1, 0, new Set())?.id).toBe('0');
    expect(knotAt(close, 1, 0, new Set(['1']))?.id).toBe('1');
  });

  it('are drawn as dots of one path', () => {
    expect(dotsOf(knots.slice(0, 2))).toBe('M0.0 50.0h.01M200.0 0.0h.01');
  });

  it('are not all drawn when they are very many', () => {
    const [some] = knots;
    const many = Array.from({ length: 5000 }, (_, place) => ({ ...(some ?? expect.fail()), id: String(place) }));
    expect(drawnKnots(many.slice(0, 1000), new Set(), undefined)).toHaveLength(1000);
    expect(drawnKnots(many, new Set(['7']), undefined).map(({ id }) => id)).toEqual(['7']);
    expect(drawnKnots(many, new Set(), some?.line)).toHaveLength(4000);
  });

  it('are in a box, each waypoint once', () => {
    expect(knotsIn(knots, { x: 190, y: -5, width: 20, height: 60 })).toEqual(['2']);
  });
});

describe('what is wrong', () => {
  it('is beyond the limits', () => {
    const [line] = linesOf(taught, both, 'position');
    expect(line && wrongStretches(line, taught, 'position')).toEqual([[2, 2]]);
    expect(line && wrongStretches({ ...line, limits: { low: -0.1, high: 0.85 } }, taught, 'velocity')).toEqual([[2, 3]]);
  });

  it('is an overshoot between the two waypoints that count around a warning', () => {
    const told = { ...taught, warnings: [warning('overshoot', 'elbow', 1), warning('overshoot', 'shoulder', 9)] };
    const [shoulder, elbow] = linesOf(told, both, 'position');
    expect(elbow && wrongStretches(elbow, told, 'position')).toEqual([[1, 1]]);
    expect(shoulder && wrongStretches(shoulder, told, 'position')).toEqual([[2, 2]]);
  });

  it('is marked on the curve of its quantity', () => {
    const warnings = [warning('position', 'shoulder', 2), warning('velocity', 'shoulder', 2), warning('collision', '', 2), warning('position', 'gone', 2)];
    const marks = warningMarks(linesOf(taught, both, 'position'), warnings, 'position');
    expect(marks.map(({ warning: { kind }, value }) => [kind, value.toFixed(1)])).toEqual([['position', '1.2']]);
    expect((['overshoot', 'acceleration', 'order', 'unknown-joint', 'other'] as const).map(quantityOf)).toEqual(['position', 'acceleration', undefined, undefined, undefined]);
  });
});
