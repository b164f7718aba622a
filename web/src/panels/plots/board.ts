/** Finds things in a layout, and names those that nobody named. */
import { PlotKind, type Plot, type PlotCurve, type PlotLayout, type PlotTab } from '../../world/plotLayout';

export function currentTab({ tab }: PlotLayout, wanted: string | undefined): PlotTab | undefined {
  return tab.find(({ id }) => id === wanted) ?? tab[0];
}

/** The plot that keys and the tree are about: the selected one, else the last. */
export function currentPlot(tab: PlotTab | undefined, wanted: string | undefined): Plot | undefined {
  return tab?.plot.find(({ id }) => id === wanted) ?? tab?.plot.at(-1);
}

/** The plot that is measured: the selected one, or the first over time. */
export function measuredPlot(tab: PlotTab | undefined, wanted: string | undefined): Plot | undefined {
  const chosen = currentPlot(tab, wanted);
  return chosen?.kind === PlotKind.TIME ? chosen : tab?.plot.find(({ kind }) => kind === PlotKind.TIME);
}

export function curveIn(layout: PlotLayout, id: string): { readonly plot: Plot; readonly curve: PlotCurve } | undefined {
  for (const plot of layout.tab.flatMap((tab) => tab.plot)) {
    const curve = plot.curve.find((other) => other.id === id);
    if (curve !== undefined) {
      return { plot, curve };
    }
  }
  return undefined;
}

/** Returns what a plot is called; one without a title by its place. */
export function plotName(tab: PlotTab, plot: Plot): string {
  return plot.title === '' ? `Plot ${tab.plot.indexOf(plot) + 1}` : plot.title;
}

/** Returns a title that no tab has. */
export function freeTabTitle({ tab }: PlotLayout): string {
  const taken = new Set(tab.map(({ title }) => title));
  let number = tab.length + 1;
  while (taken.has(`Tab ${number}`)) {
    number += 1;
  }
  return `Tab ${number}`;
}

export function curveCount(tab: PlotTab): number {
  return tab.plot.reduce((sum, { curve }) => sum + curve.length, 0);
}

/** Whether plots over time leave room for a right axis, so that all end at the same place. */
export function needsRightRoom(tab: PlotTab): boolean {
  return tab.plot.some(({ curve }) => curve.some(({ rightAxis, hidden }) => rightAxis && !hidden));
}
