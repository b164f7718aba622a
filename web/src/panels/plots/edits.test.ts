import { describe, expect, it } from 'vitest';

import { PlotKind, newCurve, newDerived, newLayout, newPlot, newTab, type PlotLayout } from '../../world/plotLayout';
import {
  addCurves, addPlot, addTab, all, asKind, changeCurve, changePlot, changeRun, curvesFor, moveTab, movePlot, removeCurve,
  removeDerived, removePlot, removeRun, removeTab, renameTab, setDerived, setWindow, showOnly, type Edit,
} from './edits';

/** Two tabs: `one` with the plots `p` (curves a, b) and `q`, and `two` with nothing. */
function layout(): PlotLayout {
  return newLayout({
    tab: [
      { id: 'one', title: 'One', plot: [{ id: 'p', curve: [{ id: 'a', signal: 'sa' }, { id: 'b', signal: 'sb', run: 'r' }] }, { id: 'q' }] },
      { id: 'two', title: 'Two' },
    ],
    derived: [{ name: 'energy', expression: 'sa^2' }],
    run: [{ id: 'r', title: 'Run 1' }],
  });
}

/** Writes a layout in one line. */
function brief({ tab, derived, run }: PlotLayout): string {
  const curve = (c: PlotLayout['tab'][number]['plot'][number]['curve'][number]): string =>
    `${c.hidden ? '-' : ''}${c.signal}${c.xSignal === '' ? '' : `/${c.xSignal}`}${c.run === '' ? '' : `@${c.run}`}`;
  const tabs = tab.map(({ title, plot }) => `${title}[${plot.map((p) => `${p.id}(${p.curve.map(curve).join(' ')})`).join(' ')}]`);
  return [...tabs, ...derived.map(({ name, expression }) => `${name}=${expression}`), ...run.map(({ id }) => `run ${id}`)].join(' ');
}

const sc = newCurve({ id: 'c', signal: 'sc' });

describe('an edit', () => {
  const cases: readonly (readonly [string, Edit, string])[] = [
    ['adds a tab', addTab(newTab({ id: 'three', title: 'Three' })), 'One[p(sa sb@r) q()] Two[] Three[] energy=sa^2 run r'],
    ['renames a tab', renameTab('two', 'Zwei'), 'One[p(sa sb@r) q()] Zwei[] energy=sa^2 run r'],
    ['removes a tab', removeTab('one'), 'Two[] energy=sa^2 run r'],
    ['moves a tab', moveTab('two', 0), 'Two[] One[p(sa sb@r) q()] energy=sa^2 run r'],
    ['adds a plot', addPlot('two', newPlot({ id: 'z', curve: [sc] })), 'One[p(sa sb@r) q()] Two[z(sc)] energy=sa^2 run r'],
    ['removes a plot', removePlot('p'), 'One[q()] Two[] energy=sa^2 run r'],
    ['moves a plot', movePlot('p', 1), 'One[q() p(sa sb@r)] Two[] energy=sa^2 run r'],
    ['adds curves', addCurves('q', [sc]), 'One[p(sa sb@r) q(sc)] Two[] energy=sa^2 run r'],
    ['hides a curve', changeCurve('a', { hidden: true }), 'One[p(-sa sb@r) q()] Two[] energy=sa^2 run r'],
    ['removes a curve', removeCurve('a'), 'One[p(sb@r) q()] Two[] energy=sa^2 run r'],
    ['removes a run with its curves', removeRun('r'), 'One[p(sa) q()] Two[] energy=sa^2'],
    ['adds a derived item', setDerived(newDerived({ name: 'power', expression: 'sb' })), 'One[p(sa sb@r) q()] Two[] energy=sa^2 power=sb run r'],
    ['changes a derived item', setDerived(newDerived({ name: 'energy', expression: '1' })), 'One[p(sa sb@r) q()] Two[] energy=1 run r'],
    ['makes several', all(removeTab('one'), removeDerived('energy'), removeRun('r')), 'Two[]'],
  ];

  it.each(cases)('%s', (_, edit, expected) => {
    expect(brief(edit(layout()))).toBe(expected);
  });

  it.each(cases)('%s, and once more changes nothing', (_, edit) => {
    const once = edit(layout());
    expect(brief(edit(once))).toBe(brief(once));
  });

  it.each(cases)('%s, and leaves alone what it does not know', (_, edit) => {
    expect(brief(edit(newLayout()))).not.toContain('undefined');
  });
});

it('draws nothing twice in a plot', () => {
  const again = addCurves('p', [newCurve({ id: 'new', signal: 'sa' }), newCurve({ id: 'other', signal: 'sa', run: 'r' })]);
  expect(brief(again(layout()))).toContain('p(sa sb@r sa@r)');
});

it('lets curves follow a derived item to its new name, and go with it', () => {
  const drawn = addCurves('q', [newCurve({ id: 'e', signal: 'energy' })])(layout());
  const renamed = setDerived(newDerived({ name: 'work', expression: 'sa' }), 'energy')(drawn);
  expect(brief(renamed)).toBe('One[p(sa sb@r) q(work)] Two[] work=sa run r');
  expect(brief(removeDerived('work')(renamed))).toBe('One[p(sa sb@r) q()] Two[] run r');
});

it('gives plots that share their time the same window', () => {
  const own = changePlot('q', (plot) => ({ ...plot, ownTimeAxis: true }));
  const windows = (edit: Edit): readonly number[] => edit(layout()).tab.flatMap(({ plot }) => plot.map(({ windowSecs }) => windowSecs));
  expect(windows(setWindow('p', 5))).toEqual([5, 5]);
  expect(windows(all(own, setWindow('p', 5)))).toEqual([5, 0]);
  expect(windows(all(own, setWindow('q', 5)))).toEqual([0, 5]);
});

it('shows one curve alone, and then all', () => {
  const alone = showOnly('p', 'b')(layout());
  expect(brief(alone)).toContain('p(-sa sb@r)');
  expect(brief(showOnly('p', 'b')(alone))).toContain('p(sa sb@r)');
});

it('changes a run', () => {
  expect(changeRun('r', { offsetSecs: 2 })(layout()).run).toMatchObject([{ id: 'r', title: 'Run 1', offsetSecs: 2 }]);
});

describe('what is dropped', () => {
  const names = (plot: Parameters<typeof curvesFor>[0], ...signals: readonly string[]): string =>
    brief(newLayout({ tab: [{ title: 't', plot: [{ id: 'p', curve: [...curvesFor(plot, signals.map((signal) => ({ signal, run: '' })), () => 'id')] }] }] }));

  it('is a curve each', () => {
    expect(names(newPlot({}), 'x', 'y')).toBe('t[p(x y)]');
  });
  it('has its first as x of an XY plot', () => {
    expect(names(newPlot({ kind: PlotKind.XY }), 'x', 'y', 'z')).toBe('t[p(y/x z/x)]');
  });
  it('takes the x that an XY plot has', () => {
    expect(names(newPlot({ kind: PlotKind.XY, curve: [{ signal: 'a', xSignal: 'b' }] }), 'y')).toBe('t[p(y/b)]');
    expect(names(newPlot({ kind: PlotKind.XY }), 'y')).toBe('t[p(y)]');
  });
});

it('turns a plot over time into one over its first signal, and back', () => {
  const time = newPlot({ curve: [{ id: '1', signal: 'x' }, { id: '2', signal: 'y' }, { id: '3', signal: 'z' }] });
  const xy = asKind(time, PlotKind.XY);
  expect(xy.curve.map(({ signal, xSignal }) => [signal, xSignal])).toEqual([['y', 'x'], ['z', 'x']]);
  const back = asKind(xy, PlotKind.TIME);
  expect(back.curve.map(({ signal, xSignal }) => [signal, xSignal])).toEqual([['x', ''], ['y', ''], ['z', '']]);
  expect(asKind(back, PlotKind.SPECTRUM).curve).toHaveLength(3);
});
