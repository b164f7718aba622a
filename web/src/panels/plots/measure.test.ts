import { describe, expect, it } from 'vitest';

import type { Measure } from '../../world/plotFrame';
import { newCurve, newDerived, newPlot, newRun } from '../../world/plotLayout';
import { isColor, paler, paletteColor } from '../../lib/colors';
import { cellText, COLUMNS, cursorsIn, measureText, oriented, spanText } from './measure';
import { formatValue, tickTexts, withUnit } from './numbers';
import { differencesTo, overlayOf, quoted, titleForRun } from './runs';

const MEASURE: Measure = { curveId: 'c', count: 3, first: 1, last: 4, min: 0.5, max: 4, mean: 2, rms: 2.5, deviation: 1.5 };

describe('two cursors', () => {
  it('begin inside the view', () => {
    expect(cursorsIn({ min: 0, max: 9 })).toEqual({ a: 3, b: 6 });
  });

  it('tell how far apart they are', () => {
    expect(spanText({ a: 1, b: 1.5 })).toBe('Δt = 0.5 s  ·  1/Δt = 2 Hz');
    expect(spanText({ a: 2, b: 1 })).toBe('Δt = −1 s  ·  1/Δt = 1 Hz');
    expect(spanText({ a: 2, b: 2 })).toBe('Δt = 0 s');
  });

  it('give change and slope in the order in which they were placed', () => {
    const cells = (measure: Measure, span: number): readonly string[] => COLUMNS.map((column) => cellText(column, measure, span));
    expect(cells(MEASURE, 2)).toEqual(['1', '4', '3', '1.5', '0.5', '4', '2', '2.5', '1.5', '3']);
    expect(cells(oriented(MEASURE, { a: 2, b: 0 }), -2).slice(0, 4)).toEqual(['4', '1', '−3', '1.5']);
    expect(cells({ curveId: 'c', count: 0 }, 0)).toEqual(['–', '–', '–', '–', '–', '–', '–', '–', '–', '0']);
  });

  it('are copied as a table', () => {
    expect(measureText({ a: 1, b: 3 }, [{ label: 'angle', unit: 'rad', measure: MEASURE }])).toBe(
      'A\t1\ts\nB\t3\ts\nΔt\t2\ts\nCurve\tUnit\tA\tB\tΔy\tSlope\tMin\tMax\tMean\tRMS\tDeviation\tCount\nangle\trad\t1\t4\t3\t1.5\t0.5\t4\t2\t2.5\t1.5\t3',
    );
  });
});

describe('numbers', () => {
  it('have five digits at most', () => {
    expect([0, 1.5, -0.000123456789, 1234567.89, 123456.7, 0.00001, undefined, Number.NaN, Number.NEGATIVE_INFINITY, 3].map(formatValue)).toEqual(
      ['0', '1.5', '−0.00012346', '1.2346e6', '123457', '1e−5', '–', '–', '−∞', '3'],
    );
    expect([withUnit(1, 'm'), withUnit(undefined, 'm'), withUnit(2, '')]).toEqual(['1 m', '–', '2']);
  });

  it('have the same digits along an axis, and never the same text twice', () => {
    expect(tickTexts([-1, -0.5, 0, 0.5], 0.5)).toEqual(['−1.0', '−0.5', '0.0', '0.5']);
    expect(tickTexts([-0.25, 0, 0.25], 0.25)).toEqual(['−0.25', '0.00', '0.25']);
    expect(tickTexts([0, 20, 40], 20)).toEqual(['0', '20', '40']);
    expect(tickTexts([1e6, 1.5e6], 5e5)).toEqual(['1e6', '1.5e6']);
    for (const [start, step] of [[0.1, 0.001], [5e6, 100], [1e-9, 1e-10], [123456, 0.5]] as const) {
      const texts = tickTexts([0, 1, 2, 3].map((i) => start + i * step), step);
      expect(new Set(texts).size).toBe(4);
    }
  });
});

describe('colours', () => {
  it('go round and round', () => {
    expect(paletteColor(0)).not.toBe(paletteColor(1));
    expect(paletteColor(10)).toBe(paletteColor(0));
  });
  it('are written as layouts write them', () => {
    expect([isColor('#1f77b4'), isColor('red'), isColor('#fff'), isColor('')]).toEqual([true, false, false, false]);
    expect(paler('#1f77b4')).toBe('#5d89a7');
    expect(paler('')).toBe('');
  });
});

describe('a run', () => {
  const run = newRun({ id: 'r1', title: 'Run 1' });
  const plot = newPlot({ curve: [newCurve({ id: 'a', signal: 'x', width: 2 }), newCurve({ id: 'b', signal: 'x', run: 'r0' }), newCurve({ id: 'd', signal: 'x - Run 0' })] });
  const known = {
    facts: new Map([['a', { unit: 'rad', color: '#000000' }]]),
    derived: [newDerived({ name: 'x - Run 0', expression: '"x" - run("r0", "x")' })],
  };

  it('is laid over what is live', () => {
    expect(overlayOf(plot, run, known, () => 'new')).toMatchObject([{ id: 'new', signal: 'x', run: 'r1', width: 2, color: '#4d4d4d' }]);
  });

  it('is subtracted from what is live', () => {
    expect(differencesTo(plot, run, known, () => 'new')).toMatchObject([
      { item: { name: 'x_minus_Run_1', expression: '"x" - run("r1", "x")', unit: 'rad' }, curve: { signal: 'x_minus_Run_1', label: 'x − Run 1' } },
    ]);
    const taken = { ...known, derived: [...known.derived, newDerived({ name: 'x_minus_Run_1', expression: '1' })] };
    expect(differencesTo(plot, run, taken, () => 'new')).toMatchObject([{ item: { name: 'x_minus_Run_1_2' } }]);
    const numbered = newPlot({ curve: [newCurve({ id: 'a', signal: '3d::x' })] });
    expect(differencesTo(numbered, run, known, () => 'new')).toMatchObject([{ item: { name: '_3d_x_minus_Run_1' } }]);
    expect([quoted('a::b'), quoted('say "hi"')]).toEqual(['"a::b"', '`say "hi"`']);
  });

  it('has a name of its own', () => {
    expect(titleForRun([])).toBe('Run 1');
    expect(titleForRun([newRun({ title: 'Run 2' })])).toBe('Run 3');
  });
});
