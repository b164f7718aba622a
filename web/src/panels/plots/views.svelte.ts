/** What this page looks at in the plots. It is the page's own and lost with it. */
import type { Plot, PlotTab } from '../../world/plotLayout';
import type { ValueView } from './drawing';
import type { Cursors } from './measure';
import type { Range } from './view';

/** Names what shares a time axis: a tab, or a plot that has its own. */
export function timeKeyOf(tab: PlotTab, plot: Plot): string {
  return plot.ownTimeAxis ? plot.id : tab.id;
}

/** An instant under the mouse, seen on all plots that share its axis. */
export interface Hover {
  readonly key: string;
  readonly secs: number;
}

export class PlotViews {
  tabId: string | undefined = $state();
  /** The plot that keys, the tree and the table are about. */
  plotId: string | undefined = $state();
  hover: Hover | undefined = $state.raw();
  measuring = $state(false);
  /** Whether the 3D view shows the instant under the mouse. */
  linked = $state(false);
  /** The instant that the 3D view shows in place of the present. */
  shownSecs: number | undefined = $state();

  private times: Readonly<Record<string, Range>> = $state.raw({});
  private values: Readonly<Record<string, ValueView>> = $state.raw({});
  private cursors: Readonly<Record<string, Cursors>> = $state.raw({});

  /** The times in view; undefined follows the present. */
  time(key: string): Range | undefined {
    return this.times[key];
  }

  showTime(key: string, range: Range | undefined): void {
    this.times = changed(this.times, key, range);
  }

  valuesOf(plotId: string): ValueView {
    return this.values[plotId] ?? {};
  }

  showValues(plotId: string, view: ValueView | undefined): void {
    this.values = changed(this.values, plotId, view);
  }

  cursorsOf(key: string): Cursors | undefined {
    return this.measuring ? this.cursors[key] : undefined;
  }

  place(key: string, cursors: Cursors): void {
    this.cursors = changed(this.cursors, key, cursors);
  }

  /** Whether all plots of a tab follow the present. */
  follows(tab: PlotTab): boolean {
    return tab.plot.every((plot) => this.time(timeKeyOf(tab, plot)) === undefined);
  }

  /** Goes back to the present and to all values, in all plots of a tab. */
  follow(tab: PlotTab): void {
    for (const plot of tab.plot) {
      this.showTime(timeKeyOf(tab, plot), undefined);
    }
  }
}

function changed<T>(record: Readonly<Record<string, T>>, key: string, value: T | undefined): Readonly<Record<string, T>> {
  const others = Object.entries(record).filter(([other]) => other !== key);
  return Object.fromEntries(value === undefined ? others : [...others, [key, value]]);
}
