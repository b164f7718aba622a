import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';

import { PlotFrameSchema } from '../protocol/generated/retake/msgs/plots_pb';
import { frameOf, type Frame } from './plotFrame';

function packed(...numbers: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(numbers.length * 8);
  const view = new DataView(bytes.buffer);
  numbers.forEach((number, index) => { view.setFloat64(index * 8, number, true); });
  return bytes;
}

/** Sends a frame over the wire, where bytes begin at odd places. */
function sent(trace: readonly { curveId: string; x: Uint8Array; y: Uint8Array; discarded?: boolean }[]): Frame {
  const message = create(PlotFrameSchema, { plotId: 'p', from: 1, to: 3, nowSecs: 3, trace: [...trace] });
  return frameOf(fromBinary(PlotFrameSchema, toBinary(PlotFrameSchema, message)));
}

describe('a frame', () => {
  it('has the numbers that were packed, gaps included', () => {
    const { from, to, traces: [trace] } = sent([{ curveId: 'odd', x: packed(1, 2, 3), y: packed(-1e300, Number.NaN, 0.1) }]);
    expect([from, to]).toEqual([1, 3]);
    expect([...(trace?.x ?? [])]).toEqual([1, 2, 3]);
    expect([...(trace?.y ?? [])]).toEqual([-1e300, Number.NaN, 0.1]);
  });

  it('shares the x of the trace before, without a copy', () => {
    const { traces: [one, two, three] } = sent([
      { curveId: 'a', x: packed(1, 2), y: packed(5, 6) },
      { curveId: 'b', x: packed(), y: packed(7, 8) },
      { curveId: 'b', x: packed(0), y: packed(9), discarded: true },
    ]);
    expect(two?.x).toBe(one?.x);
    expect(three).toMatchObject({ curveId: 'b', discarded: true });
    expect([...(three?.x ?? [])]).toEqual([0]);
  });

  it('is cut to what both have when a host sends too few', () => {
    const { traces } = sent([
      { curveId: 'a', x: packed(), y: packed(5, 6) },
      { curveId: 'b', x: packed(1, 2, 3), y: packed(7, 8) },
      { curveId: 'c', x: packed(1).slice(0, 5), y: packed(1) },
    ]);
    expect(traces.map(({ x, y }) => [x.length, y.length])).toEqual([[0, 0], [2, 2], [0, 0]]);
  });
});
