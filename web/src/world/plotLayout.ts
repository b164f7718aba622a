/**
 * The plots of a GUI host as it told them last. A layout is edited as a whole and goes back as a
 * whole, so its types are those of the wire; parts that the page does not know travel along.
 */
import { create, type MessageInitShape } from '@bufbuild/protobuf';

import {
  DerivedItemSchema, PlotAxisSchema, PlotCurveSchema, PlotLayoutSchema, PlotRunSchema, PlotSchema, PlotTabSchema,
  type CurveFacts, type DerivedItem, type Plot, type PlotAxis, type PlotCurve, type PlotLayout, type PlotLayoutState,
  type PlotProblem, type PlotRun, type PlotTab,
} from '../protocol/generated/retake/msgs/plots_pb';

export { Plot_Kind as PlotKind, PlotCurve_Style as CurveStyle, PlotRun_Align as RunAlign } from '../protocol/generated/retake/msgs/plots_pb';
export type {
  CurveFacts, DerivedItem, Plot, PlotAxis, PlotCurve, PlotLayout, PlotProblem, PlotRun, PlotTab,
} from '../protocol/generated/retake/msgs/plots_pb';

/** Seconds that a plot shows of the present when its layout does not say. */
export const DEFAULT_WINDOW_SECS = 10;

/** The layout in force and what the host knows about it. */
export interface PlotBoard {
  readonly layout: PlotLayout;
  readonly revision: bigint;
  /** Who changed it last. */
  readonly author: string;
  readonly problems: readonly PlotProblem[];
  /** By the id of the curve. */
  readonly facts: ReadonlyMap<string, CurveFacts>;
}

export function plotBoardOf({ layout, revision, author, problem, curve }: PlotLayoutState): PlotBoard {
  return {
    layout: layout ?? newLayout(),
    revision,
    author,
    problems: problem,
    facts: new Map(curve.map((facts) => [facts.curveId, facts])),
  };
}

export function newLayout(init: MessageInitShape<typeof PlotLayoutSchema> = {}): PlotLayout {
  return create(PlotLayoutSchema, { version: 1, ...init });
}

export function newTab(init: MessageInitShape<typeof PlotTabSchema>): PlotTab {
  return create(PlotTabSchema, init);
}

export function newPlot(init: MessageInitShape<typeof PlotSchema>): Plot {
  return create(PlotSchema, init);
}

export function newCurve(init: MessageInitShape<typeof PlotCurveSchema>): PlotCurve {
  return create(PlotCurveSchema, init);
}

export function newAxis(init: MessageInitShape<typeof PlotAxisSchema> = {}): PlotAxis {
  return create(PlotAxisSchema, init);
}

export function newDerived(init: MessageInitShape<typeof DerivedItemSchema>): DerivedItem {
  return create(DerivedItemSchema, init);
}

export function newRun(init: MessageInitShape<typeof PlotRunSchema>): PlotRun {
  return create(PlotRunSchema, init);
}
