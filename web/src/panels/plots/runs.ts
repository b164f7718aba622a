/** Curves that compare a run with another. */
import { paler } from '../../lib/colors';
import { newCurve, newDerived, type CurveFacts, type DerivedItem, type Plot, type PlotCurve, type PlotRun } from '../../world/plotLayout';

/** What is known of curves and of the items that they may draw. */
export interface Known {
  readonly facts: ReadonlyMap<string, Pick<CurveFacts, 'unit' | 'color'>>;
  readonly derived: readonly DerivedItem[];
}

/** Returns a curve of the run for each live one of a plot, in a paler colour. */
export function overlayOf(plot: Plot, run: PlotRun, { facts, derived }: Known, newId: () => string): readonly PlotCurve[] {
  return liveCurves(plot, derived).map((curve) => newCurve({
    ...curve,
    id: newId(),
    run: run.id,
    label: '',
    color: paler(curve.color === '' ? (facts.get(curve.id)?.color ?? '') : curve.color),
  }));
}

/** A derived item and the curve that draws it. */
export interface Difference {
  readonly item: DerivedItem;
  readonly curve: PlotCurve;
}

/** Returns how far each live curve of a plot is from the same one of the run. */
export function differencesTo(plot: Plot, run: PlotRun, { facts, derived }: Known, newId: () => string): readonly Difference[] {
  return liveCurves(plot, derived).map(({ id, signal, rightAxis, label }) => {
    const expression = `${quoted(signal)} - run(${quoted(run.id)}, ${quoted(signal)})`;
    const name = freeName(`${signal} minus ${run.title}`, expression, derived);
    return {
      item: newDerived({ name, expression, unit: facts.get(id)?.unit ?? '' }),
      curve: newCurve({ id: newId(), signal: name, label: `${label === '' ? signal : label} − ${run.title}`, rightAxis }),
    };
  });
}

/** Returns what a run is called when nobody gave it a name. */
export function titleForRun(runs: readonly PlotRun[]): string {
  const taken = new Set(runs.map(({ title }) => title));
  let number = runs.length + 1;
  while (taken.has(`Run ${number}`)) {
    number += 1;
  }
  return `Run ${number}`;
}

/** Makes a name for a derived item that no other one has: letters, digits and lines. */
export function freeName(text: string, expression: string, derived: readonly DerivedItem[]): string {
  const plain = text.replaceAll(/[^A-Za-z0-9]+/gu, '_').replace(/^(?=\d)/u, '_');
  const taken = (name: string): boolean => derived.some((other) => other.name === name && other.expression !== expression);
  let name = plain;
  for (let number = 2; taken(name); number += 1) {
    name = `${plain}_${number}`;
  }
  return name;
}

/** Writes a name so that expressions take it; they know two kinds of quotes. */
export function quoted(name: string): string {
  return name.includes('"') ? `\`${name}\`` : `"${name}"`;
}

/** What belongs to the present run: not another's, and not made of another's. */
export function liveCurves(plot: Pick<Plot, 'curve'>, derived: readonly DerivedItem[]): readonly PlotCurve[] {
  const comparing = new Set(derived.filter(({ expression }) => /\brun\s*\(/u.test(expression)).map(({ name }) => name));
  return plot.curve.filter(({ run, signal }) => run === '' && !comparing.has(signal));
}
