/** What is asked of the GUI host about plots. None of it changes the world. */
import type { SignalNodes } from '../world/plotFrame';
import { measureOf, type Measure } from '../world/plotFrame';
import type { PlotLayout } from '../world/plotLayout';
import type { Sender } from './send';

/** Replaces the layout; refused when somebody changed it since `baseRevision`. */
export async function setPlotLayout(sender: Sender, layout: PlotLayout, baseRevision: bigint): Promise<void> {
  await sender.request({ case: 'setPlotLayout', value: { layout, baseRevision } });
}

/** Replaces the layout by that of a file. */
export async function loadPlotLayout(sender: Sender, json: string): Promise<void> {
  await sender.request({ case: 'loadPlotLayout', value: { json } });
}

/** Keeps what was heard while the world went on with a branch of the timeline; returns the id of the run. */
export async function keepBranchRun(sender: Sender, branch: string): Promise<string> {
  const { plotRun } = await sender.request({ case: 'keepPlotRun', value: { branch } });
  return plotRun;
}

/** Keeps the present run, so that later ones can be compared with it. */
export async function keepPlotRun(sender: Sender, title: string): Promise<void> {
  await sender.request({ case: 'keepPlotRun', value: { title } });
}

/** Adds a run from a table that was saved before. */
export async function loadPlotRun(sender: Sender, file: File): Promise<void> {
  const data = new Uint8Array(await file.arrayBuffer());
  await sender.request({ case: 'loadPlotRun', value: { name: file.name, data } });
}

/** Forgets all samples of the live run. */
export async function clearPlots(sender: Sender): Promise<void> {
  await sender.request({ case: 'clearPlots', value: {} });
}

/** What part of the tree of signals is wanted: below a node, or all leaves that contain a text. */
export type SignalQuery = { readonly node: string } | { readonly search: string };

const NO_SIGNALS: Pick<SignalNodes, 'node' | 'leftOut'> = { node: [], leftOut: 0 };

export async function browseSignals(sender: Sender, query: SignalQuery): Promise<Pick<SignalNodes, 'node' | 'leftOut'>> {
  const { signals } = await sender.request({ case: 'browseSignals', value: { ...query } });
  return signals ?? NO_SIGNALS;
}

/** Asks for the numbers of all curves of a plot from one time to another. */
export async function measurePlot(sender: Sender, plotId: string, fromSecs: number, toSecs: number): Promise<readonly Measure[]> {
  const { measures } = await sender.request({ case: 'measurePlot', value: { plotId, fromSecs, toSecs } });
  return (measures?.curve ?? []).map(measureOf);
}
