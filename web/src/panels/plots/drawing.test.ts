import { describe, expect, it } from 'vitest';

import type { Frame, Trace } from '../../world/plotFrame';
import { CurveStyle, newAxis, newCurve, newPlot, PlotKind, type Plot } from '../../world/plotLayout';
import { plotName } from './board';
import { drawingOf, looksOf, newestOf, timeRangeOf } from './drawing';

function trace(curveId: string, xs: readonly number[], ys: readonly number[], discarded = false): Trace {
  return { curveId, discarded, thinned: false, x: Float64Array.from(xs), y: Float64Array.from(ys) };
}

function frame(...traces: readonly Trace[]): Frame {
  return { plotId: 'p', from: 2, to: 12, nowSecs: 12, traces, jumps: [{ fromSecs: 8, toSecs: 5, cause: 'undo' }] };
}

const draw = (plot: Plot, samples: Frame | undefined, more: Partial<Parameters<typeof drawingOf>[0]> = {}) =>
  drawingOf({ plot, looks: looksOf(plot, new Map()), frame: samples, time: undefined, values: {}, rightRoom: false, ...more });

const TWO = newPlot({
  id: 'p',
  curve: [newCurve({ id: 'a', signal: 'a', style: CurveStyle.STEP }), newCurve({ id: 'b', signal: 'b', rightAxis: true, run: 'r', width: 3 })],
});

describe('a plot over time', () => {
  const samples = frame(trace('a', [2, 12], [0, 10]), trace('b', [2, 12], [100, 200]), trace('a', [5, 8], [50, 60], true), trace('gone', [2], [1e9]));

  it('shows the times of its frame, and each axis its own values', () => {
    const { x, left, right, marks } = draw(TWO, samples);
    expect(x).toMatchObject({ min: 2, max: 12, title: 'Time (s)' });
    expect(left.max).toBeGreaterThan(60);
    expect(left.max).toBeLessThan(100);
    expect(right?.min).toBeLessThan(100);
    expect(marks).toEqual([8, 5]);
  });

  it('has what undo took away below the rest, and pale', () => {
    expect(draw(TWO, samples).curves.map(({ opacity, style, dashed, width, axis }) => [opacity < 1, style, dashed, width, axis])).toEqual([
      [true, 'step', false, 1, 'left'],
      [false, 'step', false, 1, 'left'],
      [false, 'line', true, 3, 'right'],
    ]);
  });

  it('knows how far the present run is drawn, whatever is in view', () => {
    const runs = frame(trace('a', [2, 7], [0, 1]), trace('a', [5, 9], [0, 1], true), trace('b', [2, 11], [0, 1]));
    expect(newestOf(draw(TWO, runs))).toBe(7);
    expect(newestOf(draw(TWO, frame(trace('a', [], []))))).toBeUndefined();
    expect(newestOf(draw(TWO, undefined))).toBeUndefined();
  });

  it('does not let hidden curves take part', () => {
    const hidden = newPlot({ ...TWO, curve: TWO.curve.map((curve) => ({ ...curve, hidden: curve.id === 'b' })) });
    expect(draw(hidden, samples)).toMatchObject({ right: undefined, rightRoom: false });
    expect(draw(hidden, samples, { rightRoom: true }).rightRoom).toBe(true);
  });

  it('shows what the person or the layout chose', () => {
    const fixed = newPlot({ ...TWO, left: newAxis({ title: 'height', min: -1, max: 1 }) });
    expect(draw(fixed, samples, { time: { min: 3, max: 4 } })).toMatchObject({ x: { min: 3, max: 4 }, left: { min: -1, max: 1, title: 'height' } });
    expect(draw(fixed, samples, { values: { left: { min: 7, max: 8 } } }).left).toMatchObject({ min: 7, max: 8 });
  });

  it('has axes before there is a sample', () => {
    const { x, left } = draw(newPlot({ windowSecs: 4 }), undefined);
    expect(x).toMatchObject({ min: 0, max: 4 });
    expect(left.max).toBeGreaterThan(left.min);
  });
});

it('names the unit that all curves of an axis have in common', () => {
  const facts = (unit: string) => ({ curveId: 'a', label: 'A', unit, color: '', gone: false });
  const plot = newPlot({ curve: [{ id: 'a', signal: 'a' }, { id: 'b', signal: 'b' }] });
  const titled = (a: string, b: string) => {
    const looks = looksOf(plot, new Map([['a', { ...facts(a), $typeName: 'retake.msgs.CurveFacts' as const }], ['b', { ...facts(b), $typeName: 'retake.msgs.CurveFacts' as const }]]));
    return draw(plot, undefined, { looks }).left.title;
  };
  expect([titled('m', 'm'), titled('m', 'rad')]).toEqual(['m', '']);
});

it('draws XY and spectra over their own x', () => {
  const xy = newPlot({ kind: PlotKind.XY, curve: [{ id: 'a', signal: 'y', xSignal: 'x' }] });
  const swing = draw(xy, frame(trace('a', [-1, 1, -1], [0, 5, 9])));
  expect(swing.x.title).toBe('x');
  expect(swing.x.min).toBeLessThan(-1);
  expect(swing.x.max).toBeLessThan(2);
  expect(swing.marks).toEqual([]);
  const spectrum = newPlot({ kind: PlotKind.SPECTRUM, curve: [{ id: 'a', signal: 'y' }] });
  expect(draw(spectrum, frame(trace('a', [0, 250, 500], [1, 2, 3]))).x).toMatchObject({ min: 0, max: 500, title: 'Frequency (Hz)' });
  expect(timeRangeOf(spectrum, frame(), undefined)).toEqual({ min: 2, max: 12 });
});

it('names plots by their titles, else by their places', () => {
  const tab = { plot: [newPlot({}), newPlot({ title: 'Speed' })] } as unknown as Parameters<typeof plotName>[0];
  expect(tab.plot.map((plot) => plotName(tab, plot))).toEqual(['Plot 1', 'Speed']);
});
