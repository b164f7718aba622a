/** What the page shows when words of a jump, replies and states come in an order of their own. */
import { create, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { HostMessageSchema } from '../protocol/generated/retake/msgs/page_pb';
import { timeOf } from '../protocol/time';
import { PROTOCOL_VERSION } from '../protocol/version';
import { Session } from './session.svelte';

type Said = NonNullable<MessageInitShape<typeof HostMessageSchema>['message']>;

/** A connection whose other end is the test. */
class Line {
  static newest: Line | undefined;
  onopen: (() => void) | undefined;
  onclose: (() => void) | undefined;
  onmessage: ((event: { data: ArrayBuffer }) => void) | undefined;
  binaryType = '';
  readonly readyState = 1;

  constructor() {
    Line.newest = this;
  }

  send(): void {
    // What the page asks is answered by the tests in turn.
  }

  close(): void {
    // Nothing is behind it.
  }

  say(message: Said): void {
    const body = toBinary(HostMessageSchema, create(HostMessageSchema, { message }));
    this.onmessage?.({ data: new Uint8Array([1, 0, 0, 0, ...body]).buffer });
  }

  /** Poses of nothing, which have a time all the same. */
  poses(secs: number, setId = 1): void {
    const frame = new DataView(new ArrayBuffer(16));
    frame.setUint32(0, 2, true);
    frame.setUint32(4, setId, true);
    frame.setFloat64(8, secs, true);
    this.onmessage?.({ data: frame.buffer });
  }

  stats(secs: number, paused = false): void {
    this.say({ case: 'stats', value: { simTime: timeOf(secs), paused, targetRealTimeFactor: 1 } });
  }
}

let session: Session;
let line: Line;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', Line);
  vi.stubGlobal('window', {});
  session = new Session('ws://host/ws');
  session.start();
  line = Line.newest ?? new Line();
  line.say({ case: 'welcome', value: { protocolVersion: PROTOCOL_VERSION, world: 'w', clientId: 1n } });
  line.say({ case: 'poseSet', value: { setId: 1 } });
});
afterEach(() => {
  session.stop();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Numbers on the page follow the poses now and then. */
function later(): void {
  vi.advanceTimersByTime(100);
}

it('the clock goes back when what is seen does, not when a jump is told', () => {
  line.poses(2);
  line.stats(2);
  line.say({ case: 'timeJumped', value: { from: timeOf(2.05), to: timeOf(0.5), cause: 'undo' } });
  expect(session.simTimeSecs).toBe(2);
  // On its way since before the jump.
  line.poses(2.03);
  later();
  expect(session.simTimeSecs).toBe(2.03);
  line.poses(0.5);
  later();
  expect(session.simTimeSecs).toBe(0.5);
});

it('statistics of before a jump do not take the clock back to then', () => {
  line.poses(2);
  line.say({ case: 'timeJumped', value: { from: timeOf(2.05), to: timeOf(0.5), cause: 'undo' } });
  line.poses(0.5);
  line.stats(2.03);
  expect(session.simTimeSecs).toBe(0.5);
});

it('the present is never behind the timeline that came with it', () => {
  line.poses(2);
  line.stats(2);
  line.poses(2.05);
  line.say({ case: 'timeline', value: { enabled: true, branch: [{ name: 'main', live: true, end: timeOf(2.05) }] } });
  expect(session.simTimeSecs).toBe(2.05);
});

it('the clock of the present goes on while the past is shown', () => {
  line.poses(2);
  line.say({ case: 'poseSet', value: { setId: 2 ** 31 + 1 } });
  line.poses(0.25, 2 ** 31 + 1);
  line.stats(2.2);
  later();
  expect([session.simTimeSecs, session.past.active]).toEqual([2.2, true]);
  line.say({ case: 'poseSet', value: { setId: 2 } });
  expect(session.past.active).toBe(false);
});

it('statistics of before Play do not stop the world on the page', async () => {
  line.stats(1, true);
  const played = session.togglePlay();
  line.say({ case: 'reply', value: { requestId: 1n, ok: true } });
  await played;
  expect(session.paused).toBe(false);
  line.stats(1, true);
  expect(session.paused).toBe(false);
  line.stats(1.1);
  line.stats(1.2, true);
  expect(session.paused).toBe(true);
});
