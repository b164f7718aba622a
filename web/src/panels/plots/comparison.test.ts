import { expect, it } from 'vitest';

import { newCurve, newDerived, newLayout, newPlot, newTab, type PlotBoard } from '../../world/plotLayout';
import { addComparison, comparableSignals, comparisonOf } from './comparison';

const LIVE = { title: 'main', run: '' };
const KEPT = { title: 'main-1', run: 'run_1' };
const OTHER = { title: 'trial', run: 'run_2' };
const SPAN = { fromSecs: 1, toSecs: 6 };

function ids(): () => string {
  let next = 0;
  return () => `id${(next += 1)}`;
}

it('lists what is plotted of the live run, once, and nothing that compares', () => {
  const layout = newLayout({
    derived: [newDerived({ name: 'gap', expression: '"x" - run("run_1", "x")' })],
    tab: [newTab({ plot: [
      newPlot({ rateHz: 100, curve: [newCurve({ id: 'a', signal: 'x' }), newCurve({ id: 'b', signal: 'x', run: 'run_1' }), newCurve({ signal: 'gap' })] }),
      newPlot({ curve: [newCurve({ signal: 'x' }), newCurve({ signal: 'y' })] }),
    ] })],
  });
  const board: PlotBoard = { layout, revision: 1n, author: '', problems: [], facts: new Map([['a', { curveId: 'a', unit: 'm' } as never]]) };
  expect(comparableSignals(board)).toEqual([{ signal: 'x', rateHz: 100, unit: 'm' }, { signal: 'y', rateHz: 0, unit: '' }]);
  expect(comparableSignals(undefined)).toEqual([]);
});

it('one plot shows both, the next how far they are apart, from where they part', () => {
  const { tab, derived } = comparisonOf([LIVE, KEPT], [{ signal: 'x', rateHz: 0, unit: 'm' }], SPAN, [], ids());
  const [both, apart] = tab.plot;
  expect(tab.title).toBe('main – main-1');
  expect(both?.curve.map(({ signal, run, label }) => [signal, run, label])).toEqual([['x', '', 'x (main)'], ['x', 'run_1', 'x (main-1)']]);
  expect(new Set(both?.curve.map(({ color }) => color)).size).toBe(2);
  expect([both?.x?.min, both?.windowSecs, apart?.title]).toEqual([1, 5, 'main minus main-1']);
  expect(derived).toMatchObject([{ name: 'x_main_minus_main_1', expression: '"x" - run("run_1", "x")', unit: 'm' }]);
  expect(apart?.curve.map(({ signal, run }) => [signal, run])).toEqual([['x_main_minus_main_1', '']]);
});

it('two runs that are over are compared along the first; the live one may be the second', () => {
  const values = [{ signal: 'x', rateHz: 0, unit: '' }];
  const kept = comparisonOf([KEPT, OTHER], values, SPAN, [], ids());
  expect(kept.derived[0]?.expression).toBe('"x" - run("run_2", "x")');
  expect(kept.tab.plot[1]?.curve[0]?.run).toBe('run_1');
  const live = comparisonOf([KEPT, LIVE], values, SPAN, [], ids());
  expect(live.derived[0]?.expression).toBe('run("run_1", "x") - "x"');
  expect(live.tab.plot[1]?.curve[0]?.run).toBe('');
});

it('values of other rates have plots of their own, and names are not taken twice', () => {
  const values = [{ signal: 'x', rateHz: 0, unit: '' }, { signal: 'y', rateHz: 100, unit: '' }, { signal: 'z', rateHz: 0, unit: '' }];
  const taken = [newDerived({ name: 'x_main_minus_main_1', expression: '"other"' })];
  const made = comparisonOf([LIVE, KEPT], values, SPAN, taken, ids());
  expect(made.tab.plot.map(({ rateHz, curve }) => [rateHz, curve.length])).toEqual([[0, 4], [0, 2], [100, 2], [100, 1]]);
  expect(made.derived.map(({ name }) => name)).toEqual(['x_main_minus_main_1_2', 'z_main_minus_main_1', 'y_main_minus_main_1']);
  const layout = addComparison(made)(newLayout({ derived: taken }));
  expect([layout.tab.length, layout.derived.length]).toEqual([1, 4]);
});
