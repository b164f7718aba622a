/**
 * Changes of a layout. Each names what it changes by id and can be made again to a layout that has
 * it already, so that it survives a change that somebody else made meanwhile.
 */
import {
  PlotKind, newCurve, type DerivedItem, type Plot, type PlotCurve, type PlotLayout, type PlotRun, type PlotTab,
} from '../../world/plotLayout';

export type Edit = (layout: PlotLayout) => PlotLayout;

/** A signal, and the run whose values are meant; empty for the live one. */
export interface PickedSignal {
  readonly signal: string;
  readonly run: string;
}

/** Makes one edit of several. */
export function all(...edits: readonly Edit[]): Edit {
  return (layout) => edits.reduce((current, edit) => edit(current), layout);
}

export function addTab(tab: PlotTab): Edit {
  return (layout) => (has(layout.tab, tab.id) ? layout : { ...layout, tab: [...layout.tab, tab] });
}

export function renameTab(id: string, title: string): Edit {
  return (layout) => ({ ...layout, tab: changed(layout.tab, id, (tab) => ({ ...tab, title })) });
}

export function removeTab(id: string): Edit {
  return (layout) => ({ ...layout, tab: without(layout.tab, id) });
}

export function moveTab(id: string, to: number): Edit {
  return (layout) => ({ ...layout, tab: moved(layout.tab, id, to) });
}

/** Adds a plot below the others of a tab. */
export function addPlot(tabId: string, plot: Plot): Edit {
  return (layout) => {
    const known = layout.tab.some((tab) => has(tab.plot, plot.id));
    return known ? layout : { ...layout, tab: changed(layout.tab, tabId, (tab) => ({ ...tab, plot: [...tab.plot, plot] })) };
  };
}

export function removePlot(id: string): Edit {
  return (layout) => ({ ...layout, tab: layout.tab.map((tab) => ({ ...tab, plot: without(tab.plot, id) })) });
}

/** Moves a plot among those of its tab. */
export function movePlot(id: string, to: number): Edit {
  return (layout) => ({ ...layout, tab: layout.tab.map((tab) => ({ ...tab, plot: moved(tab.plot, id, to) })) });
}

export function changePlot(id: string, change: (plot: Plot) => Plot): Edit {
  return (layout) => ({ ...layout, tab: layout.tab.map((tab) => ({ ...tab, plot: changed(tab.plot, id, change) })) });
}

/** Gives a plot and all that share its time axis the same length of the present. */
export function setWindow(plotId: string, windowSecs: number): Edit {
  return (layout) => ({
    ...layout,
    tab: layout.tab.map((tab) => {
      const chosen = tab.plot.find(({ id }) => id === plotId);
      if (chosen === undefined) {
        return tab;
      }
      const along = (plot: Plot): boolean => plot === chosen || (!chosen.ownTimeAxis && !plot.ownTimeAxis);
      return { ...tab, plot: tab.plot.map((plot) => (along(plot) ? { ...plot, windowSecs } : plot)) };
    }),
  });
}

/** Adds curves; what the plot draws already is not drawn twice. */
export function addCurves(plotId: string, curves: readonly PlotCurve[]): Edit {
  return changePlot(plotId, (plot) => {
    const fresh = curves.filter((curve) => !plot.curve.some((other) => other.id === curve.id || drawsSame(other, curve)));
    return fresh.length === 0 ? plot : { ...plot, curve: [...plot.curve, ...fresh] };
  });
}

export function changeCurve(id: string, change: Partial<PlotCurve>): Edit {
  return curvesOf((curves) => changed(curves, id, (curve) => ({ ...curve, ...change })));
}

export function removeCurve(id: string): Edit {
  return curvesOf((curves) => without(curves, id));
}

/** Shows one curve of a plot and hides the others; once more shows all. */
export function showOnly(plotId: string, curveId: string): Edit {
  return changePlot(plotId, (plot) => {
    const alone = plot.curve.every(({ id, hidden }) => hidden === (id !== curveId));
    return { ...plot, curve: plot.curve.map((curve) => ({ ...curve, hidden: !alone && curve.id !== curveId })) };
  });
}

/** Adds a derived item, or replaces the one of a name; its curves follow a new name. */
export function setDerived(item: DerivedItem, before?: string): Edit {
  const replaced = before ?? item.name;
  return (layout) => {
    const at = layout.derived.findIndex(({ name }) => name === replaced);
    const derived = at < 0 ? [...without(layout.derived, item.name, 'name'), item] : layout.derived.with(at, item);
    const renamed = curvesOf((curves) => curves.map((curve) => ({
      ...curve,
      signal: curve.signal === replaced ? item.name : curve.signal,
      xSignal: curve.xSignal === replaced ? item.name : curve.xSignal,
    })));
    return { ...(replaced === item.name ? layout : renamed(layout)), derived };
  };
}

/** Takes a derived item away, and the curves that draw it. */
export function removeDerived(name: string): Edit {
  return (layout) => ({
    ...curvesOf((curves) => curves.filter(({ signal, xSignal }) => signal !== name && xSignal !== name))(layout),
    derived: without(layout.derived, name, 'name'),
  });
}

export function changeRun(id: string, change: Partial<PlotRun>): Edit {
  return (layout) => ({ ...layout, run: changed(layout.run, id, (run) => ({ ...run, ...change })) });
}

/** Takes a run away, and the curves that draw it. */
export function removeRun(id: string): Edit {
  return (layout) => ({
    ...curvesOf((curves) => curves.filter(({ run }) => run !== id))(layout),
    run: without(layout.run, id),
  });
}

/** Makes curves of what was dropped on a plot. On an XY plot the first of several signals is x for the others. */
export function curvesFor(plot: Plot, signals: readonly PickedSignal[], newId: () => string): readonly PlotCurve[] {
  if (plot.kind !== PlotKind.XY) {
    return signals.map(({ signal, run }) => newCurve({ id: newId(), signal, run }));
  }
  const known = plot.curve.find(({ xSignal }) => xSignal !== '')?.xSignal ?? '';
  const [first, ...others] = signals;
  if (first === undefined) {
    return [];
  }
  return others.length === 0
    ? [newCurve({ ...first, id: newId(), xSignal: known })]
    : others.map(({ signal, run }) => newCurve({ id: newId(), signal, run, xSignal: first.signal }));
}

/** Makes a plot one of another kind. Of an XY plot the first curve becomes x of the others, and the other way round. */
export function asKind(plot: Plot, kind: PlotKind): Plot {
  if (kind === plot.kind) {
    return plot;
  }
  const [first, ...others] = plot.curve;
  if (kind === PlotKind.XY) {
    const paired = others.length > 0 && first !== undefined ? others.map((curve) => ({ ...curve, xSignal: first.signal })) : plot.curve;
    return { ...plot, kind, curve: paired };
  }
  if (plot.kind === PlotKind.XY && first !== undefined && first.xSignal !== '') {
    const shared = newCurve({ id: `${first.id}-x`, signal: first.xSignal, run: first.run });
    return { ...plot, kind, curve: [shared, ...plot.curve.map((curve) => ({ ...curve, xSignal: '' }))] };
  }
  return { ...plot, kind };
}

function drawsSame(one: PlotCurve, other: PlotCurve): boolean {
  return one.signal === other.signal && one.run === other.run && one.xSignal === other.xSignal;
}

function curvesOf(change: (curves: PlotCurve[]) => PlotCurve[]): Edit {
  return (layout) => ({
    ...layout,
    tab: layout.tab.map((tab) => ({ ...tab, plot: tab.plot.map((plot) => ({ ...plot, curve: change(plot.curve) })) })),
  });
}

function has(items: readonly { readonly id: string }[], id: string): boolean {
  return items.some((item) => item.id === id);
}

function changed<T extends { readonly id: string }>(items: readonly T[], id: string, change: (item: T) => T): T[] {
  return items.map((item) => (item.id === id ? change(item) : item));
}

function without<K extends string, T extends Readonly<Record<K, string>>>(items: readonly T[], id: string, key: K): T[];
function without<T extends { readonly id: string }>(items: readonly T[], id: string): T[];
function without<T extends Readonly<Record<string, unknown>>>(items: readonly T[], id: string, key = 'id'): T[] {
  return items.filter((item) => item[key] !== id);
}

function moved<T extends { readonly id: string }>(items: readonly T[], id: string, to: number): T[] {
  const item = items.find((other) => other.id === id);
  return item === undefined ? [...items] : items.filter((other) => other !== item).toSpliced(to, 0, item);
}
