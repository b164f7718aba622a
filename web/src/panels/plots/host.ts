/** What the panel needs of the GUI host, which owns the layout and all samples. */
import type { SignalQuery } from '../../commands/plots';
import type { Emitter } from '../../lib/emitter';
import type { Frame, Measure, SignalNode } from '../../world/plotFrame';
import type { Edit } from './edits';
import type { Range } from './view';

/** A plot on screen: what it wants to be sent. */
export interface Watched {
  readonly plotId: string;
  /** Width of its curves in pixels of the device. */
  readonly pixels: number;
  /** The times in view; undefined follows the present. */
  readonly time: Range | undefined;
}

export interface SignalList {
  readonly node: readonly SignalNode[];
  /** How many more there were. */
  readonly leftOut: number;
}

/** Requests fail with a text for people. */
export interface PlotHost {
  readonly frameReceived: Emitter<Frame>;
  /** The newest samples of a plot. */
  frame(plotId: string): Frame | undefined;
  /** Shows a change at once and sends it; says so when it is refused. */
  edit(edit: Edit): void;
  watch(plots: readonly Watched[]): void;
  browse(query: SignalQuery): Promise<SignalList>;
  measure(plotId: string, fromSecs: number, toSecs: number): Promise<readonly Measure[]>;
  keepRun(title: string): Promise<void>;
  /** Adds a run from a table that was saved before. */
  openRun(file: File): Promise<void>;
  load(json: string): Promise<void>;
  clear(): Promise<void>;
}
