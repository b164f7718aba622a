/** Two branches of the timeline in a plot. */
import { keepBranchRun } from '../commands/plots';
import type { Sender } from '../commands/send';
import { uuidV7 } from '../lib/uuid';
import { addComparison, comparableSignals, comparisonOf, type Compared } from '../panels/plots/comparison';
import { lineOf, partingSecs } from '../panels/timeline/lines';
import type { Timeline } from '../world/timeline';
import type { Plotting } from './plotting.svelte';

export interface ComparedBranches {
  readonly one: string;
  readonly other: string;
  readonly signals: readonly string[];
  readonly nowSecs: number;
}

/** Adds a tab that shows both and their difference, and returns its id; fails with a text for people. */
export async function compareBranches(
  sender: Sender, plotting: Pick<Plotting, 'board' | 'edit'>, timeline: Timeline, { one, other, signals, nowSecs }: ComparedBranches,
): Promise<string> {
  const lines = [lineOf(timeline, one, nowSecs), lineOf(timeline, other, nowSecs)] as const;
  if (lines[0] === undefined || lines[1] === undefined) {
    throw new Error(`There is no branch named “${lines[0] === undefined ? one : other}” any more`);
  }
  // One after the other: each changes the layout that the next one is made to.
  const runs = [await comparedOf(sender, timeline, one), await comparedOf(sender, timeline, other)] as const;
  const values = comparableSignals(plotting.board).filter(({ signal }) => signals.includes(signal));
  const parting = partingSecs(lines[0], lines[1]);
  const toSecs = Math.max(lines[0].toSecs, lines[1].toSecs);
  const fromSecs = Math.max(parting - 0.1 * (toSecs - parting), 0);
  const comparison = comparisonOf(runs, values, { fromSecs, toSecs }, plotting.board?.layout.derived ?? [], uuidV7);
  plotting.edit(addComparison(comparison));
  return comparison.tab.id;
}

/** The branch that goes on is drawn as it goes; of another one what was heard is kept as a run. */
async function comparedOf(sender: Sender, { branches }: Timeline, name: string): Promise<Compared> {
  const live = branches.some((branch) => branch.live && branch.name === name);
  return { title: name, run: live ? '' : await keepBranchRun(sender, name) };
}
