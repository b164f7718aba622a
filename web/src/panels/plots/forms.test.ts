import { describe, expect, it } from 'vitest';

import { CurveStyle, newCurve, newPlot, PlotKind } from '../../world/plotLayout';
import { caretOf, isDerivedName } from './expressions';
import { curveFormOf, curveFrom, plotFormOf, plotFrom, secondsFrom } from './forms';
import { addressOf, boardSaves, fileName, plotSaves } from './saving';

const PLOT = newPlot({
  id: 'p', title: 'Angles', left: { title: 'angle', min: -1, max: 2 }, windowSecs: 5, rateHz: 50, bufferSamples: 1000n, bufferSecs: 30,
  hideGrid: true, curve: [{ id: 'c', signal: 's' }],
});

describe('the settings of a plot', () => {
  it('come back as they were', () => {
    expect(plotFrom(plotFormOf(PLOT), PLOT)).toMatchObject({ value: { ...PLOT, x: expect.anything() as unknown, right: expect.anything() as unknown } });
    const plain = newPlot({ id: 'p' });
    const read = plotFrom(plotFormOf(plain), plain);
    expect('value' in read && read.value).toMatchObject({ windowSecs: 0, rateHz: 0, bufferSamples: 0n, hideLegend: false, kind: PlotKind.TIME });
    expect('value' in read && read.value.left).not.toHaveProperty('min');
  });

  it.each([
    [{ left: { title: '', min: 'much', max: '' } }, 'Least value of the left axis takes a number, or nothing: “much” is neither'],
    [{ x: { title: '', min: '2', max: '1' } }, 'The x axis must begin below its end: 2 is not below 1'],
    [{ windowSecs: '-3' }, 'Seconds shown cannot be negative'],
    [{ rateHz: 'fast' }, 'Samples per second takes a number, or nothing: “fast” is neither'],
    [{ bufferSamples: 'inf' }, 'Most samples takes a number, or nothing: “inf” is neither'],
  ])('are refused: %o', (change, problem) => {
    expect(plotFrom({ ...plotFormOf(PLOT), ...change }, PLOT)).toEqual({ problem });
  });

  it('take units and arithmetic', () => {
    expect(plotFrom({ ...plotFormOf(PLOT), windowSecs: '500 ms', rateHz: '1 kHz' }, PLOT)).toMatchObject({ value: { windowSecs: 0.5, rateHz: 1000 } });
    expect(secondsFrom('-1.5')).toEqual({ value: -1.5 });
    expect(secondsFrom('')).toEqual({ value: 0 });
    expect(secondsFrom('soon')).toEqual({ problem: '“soon” is no number of seconds' });
  });
});

it('lets the settings of a curve come back, and refuses a curve of nothing', () => {
  const curve = newCurve({ id: 'c', signal: 's', label: 'L', color: '#112233', width: 2, style: CurveStyle.STEP, rightAxis: true });
  expect(curveFrom(curveFormOf(curve, '#112233'), curve)).toEqual({ value: curve });
  expect(curveFrom({ ...curveFormOf(curve, '#112233'), signal: ' ' }, curve)).toHaveProperty('problem');
  expect(curveFrom({ ...curveFormOf(curve, '#112233'), width: '21' }, curve)).toEqual({ problem: 'Width is at most 20 pixels' });
});

describe('what is saved', () => {
  const saved = { plotId: 'p/1', tabId: 't', time: { min: 1, max: 2.5 }, width: 800.4, height: 300, theme: 'dark' } as const;

  it('has its address at the host', () => {
    expect(addressOf('picture-svg', saved)).toBe('/plots/p%2F1/picture.svg?from=1&to=2.5&width=800&height=300&theme=dark');
    expect(addressOf('tab-pdf', saved)).toBe('/plots/tab/t/picture.pdf?from=1&to=2.5&width=800&height=300&theme=dark');
    expect(addressOf('seen-csv', saved)).toBe('/plots/p%2F1/data.csv?from=1&to=2.5');
    expect(addressOf('all-parquet', saved)).toBe('/plots/p%2F1/data.parquet');
    expect(addressOf('layout', saved)).toBe('/plots/layout.json');
    expect(addressOf('load', saved)).toBeUndefined();
  });

  it('has a name that every file system takes', () => {
    expect(fileName('Angle of a/b: "x"', 'picture-png')).toBe('Angle-of-a-b-x.png');
    expect(fileName('…', 'all-csv')).toBe('plot.csv');
    expect(fileName('Angle', 'layout')).toBe('plots.json');
  });

  it('is offered when there is something', () => {
    expect(plotSaves(false).flat().some(({ enabled }) => enabled)).toBe(false);
    expect(boardSaves(false).flat().filter(({ enabled }) => enabled).map(({ action }) => action)).toEqual(['layout', 'load']);
  });
});

it('knows what can be a name', () => {
  expect(['energy', '_x1', 'Höhe', '1x', 'a b', 'a::b', ''].map(isDerivedName)).toEqual([true, true, true, false, false, false, false]);
});

it('points at the fault of an expression, character by character', () => {
  expect(caretOf('1 + $x', { column: 4, length: 1 })).toEqual({ line: '1 + $x', caret: '    ^' });
  expect(caretOf('sqrt(a', { column: 6, length: 0 })).toEqual({ line: 'sqrt(a', caret: '      ^' });
  expect(caretOf('abc + foo', { column: 6, length: 3 })).toEqual({ line: 'abc + foo', caret: '      ^^^' });
  expect(caretOf('1 +\n2 * + 3', { column: 8, length: 1 })).toEqual({ line: '2 * + 3', caret: '    ^' });
  expect(caretOf('😀 + x', { column: 4, length: 1 })).toEqual({ line: '😀 + x', caret: '    ^' });
});
