/** A tab that lays two runs over one another, and shows how far one is from the other. */
import { paletteColor } from '../../lib/colors';
import { newAxis, newCurve, newDerived, newPlot, newTab, type DerivedItem, type Plot, type PlotBoard, type PlotTab } from '../../world/plotLayout';
import { addTab, all, setDerived, type Edit } from './edits';
import { freeName, liveCurves, quoted } from './runs';

/** One of two runs; the live one has no id. */
export interface Compared {
  readonly title: string;
  readonly run: string;
}

/** A value that is plotted, as often as its plot wants. */
export interface Comparable {
  readonly signal: string;
  readonly rateHz: number;
  readonly unit: string;
}

/** Lines that are to be told apart are wider than others, in pixels. */
const LINE_WIDTH = 2;

export interface Comparison {
  readonly tab: PlotTab;
  readonly derived: readonly DerivedItem[];
}

/** Lists what plots show of the live run, each once. */
export function comparableSignals(board: PlotBoard | undefined): readonly Comparable[] {
  const found = new Map<string, Comparable>();
  for (const plot of board?.layout.tab.flatMap((tab) => tab.plot) ?? []) {
    for (const { id, signal } of liveCurves(plot, board?.layout.derived ?? [])) {
      found.set(signal, found.get(signal) ?? { signal, rateHz: plot.rateHz, unit: board?.facts.get(id)?.unit ?? '' });
    }
  }
  return [...found.values()];
}

/** Makes the tab; values of plots with different rates are on plots of their own, so that they share their samples. */
export function comparisonOf(
  [one, other]: readonly [Compared, Compared],
  signals: readonly Comparable[],
  span: { readonly fromSecs: number; readonly toSecs: number },
  known: readonly DerivedItem[],
  newId: () => string,
): Comparison {
  const rates = [...new Set(signals.map(({ rateHz }) => rateHz))];
  const derived: DerivedItem[] = [];
  const plots = rates.flatMap((rateHz) => {
    const alike = signals.filter((signal) => signal.rateHz === rateHz);
    const differences = alike.map((value) => differenceOf([one, other], value, [...known, ...derived]));
    derived.push(...differences);
    const frame = { rateHz, x: newAxis({ min: span.fromSecs }), windowSecs: Math.max(span.toSecs - span.fromSecs, 1) };
    return [
      newPlot({ ...frame, id: newId(), title: `${one.title} and ${other.title}`, curve: bothOf([one, other], alike, newId) }),
      newPlot({ ...frame, id: newId(), title: `${one.title} minus ${other.title}`, curve: apartOf([one, other], differences, alike, newId) }),
    ];
  });
  return { tab: newTab({ id: newId(), title: `${one.title} – ${other.title}`, plot: plots }), derived };
}

export function addComparison({ tab, derived }: Comparison): Edit {
  return all(...derived.map((item) => setDerived(item)), addTab(tab));
}

function bothOf(runs: readonly [Compared, Compared], signals: readonly Comparable[], newId: () => string): Plot['curve'] {
  return signals.flatMap(({ signal }, index) => runs.map(({ title, run }, side) => newCurve({
    id: newId(), signal, run, label: `${signal} (${title})`, color: paletteColor(2 * index + side), width: LINE_WIDTH,
  })));
}

function apartOf([one, other]: readonly [Compared, Compared], items: readonly DerivedItem[], signals: readonly Comparable[], newId: () => string): Plot['curve'] {
  // It is computed along a run that is over, unless one of both still goes on.
  const run = one.run === '' || other.run === '' ? '' : one.run;
  return items.map(({ name }, index) => newCurve({ id: newId(), signal: name, run, label: `Δ ${signals[index]?.signal ?? name}`, color: paletteColor(2 * index), width: LINE_WIDTH }));
}

function differenceOf([one, other]: readonly [Compared, Compared], { signal, unit }: Comparable, known: readonly DerivedItem[]): DerivedItem {
  const plain = quoted(signal);
  const of = ({ run }: Compared): string => `run(${quoted(run)}, ${plain})`;
  const expression = one.run !== '' && other.run === '' ? `${of(one)} - ${plain}` : `${plain} - ${of(other)}`;
  return newDerived({ name: freeName(`${signal} ${one.title} minus ${other.title}`, expression, known), expression, unit });
}
