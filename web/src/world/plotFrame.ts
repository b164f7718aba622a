/** The samples of one plot that the host wants drawn, already thinned to its pixels. */
import { create, type MessageInitShape } from '@bufbuild/protobuf';

import { SignalNodeSchema, type CurveMeasure, type PlotFrame, type PlotJump, type SignalNode } from '../protocol/generated/retake/msgs/plots_pb';

export type { SignalNode, SignalNodes } from '../protocol/generated/retake/msgs/plots_pb';

/** One unbroken set of samples of a curve. */
export interface Trace {
  readonly curveId: string;
  /** Whether undo took this stretch away. */
  readonly discarded: boolean;
  readonly x: Float64Array;
  /** As many as x; not a number where there is no value. */
  readonly y: Float64Array;
  /** Whether points were left out because they fall on the same pixels. */
  readonly thinned: boolean;
}

/** An instant at which time jumped, as when somebody undid. */
export type Jump = Pick<PlotJump, 'fromSecs' | 'toSecs' | 'cause'>;

export interface Frame {
  readonly plotId: string;
  /** The times in view, in seconds. */
  readonly from: number;
  readonly to: number;
  readonly traces: readonly Trace[];
  readonly jumps: readonly Jump[];
  readonly nowSecs: number;
}

/** Numbers of a curve between two cursors; absent where there is no sample. */
export interface Measure {
  readonly curveId: string;
  readonly count: number;
  readonly first?: number | undefined;
  readonly last?: number | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly mean?: number | undefined;
  readonly rms?: number | undefined;
  readonly deviation?: number | undefined;
}

export function frameOf({ plotId, from, to, trace, jump, nowSecs }: PlotFrame): Frame {
  let x = new Float64Array();
  const traces = trace.map(({ curveId, discarded, thinned, ...packed }) => {
    // Empty means those of the trace before.
    x = packed.x.length === 0 ? x : numbersOf(packed.x);
    return { curveId, discarded, thinned, ...sameLength(x, numbersOf(packed.y)) };
  });
  return { plotId, from, to, traces, jumps: jump, nowSecs };
}

export function measureOf({ count, ...rest }: CurveMeasure): Measure {
  return { ...rest, count: Number(count) };
}

/** Reads packed little-endian numbers; every machine that browsers run on is one. */
function numbersOf(bytes: Uint8Array): Float64Array<ArrayBuffer> {
  // They may begin anywhere in the message, and views must begin at a multiple of eight.
  const copy = bytes.slice(0, bytes.length - (bytes.length % 8));
  return new Float64Array(copy.buffer);
}

/** A host that sends too few of one kind must not make the page read past the end. */
function sameLength(x: Float64Array, y: Float64Array): Pick<Trace, 'x' | 'y'> {
  const length = Math.min(x.length, y.length);
  return { x: x.length === length ? x : x.subarray(0, length), y: y.length === length ? y : y.subarray(0, length) };
}

export function newSignal(init: MessageInitShape<typeof SignalNodeSchema>): SignalNode {
  return create(SignalNodeSchema, init);
}
