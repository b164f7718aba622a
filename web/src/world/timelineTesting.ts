/** A timeline for tests: main came back to 1.5 s twice, and a trial was forked from 1 s. */
import { create, type MessageInitShape } from '@bufbuild/protobuf';

import { TimelineSchema } from '../protocol/generated/retake/msgs/timeline_pb';
import { timeOf } from '../protocol/time';
import { timelineOf, type Timeline } from './timeline';

type Init = MessageInitShape<typeof TimelineSchema>;

function segment(epoch: number, from: number, to: number) {
  return { epoch: BigInt(epoch), from: timeOf(from), to: timeOf(to), keyframes: 3 };
}

export function timelineMessage(change: Init = {}): Init {
  return {
    enabled: true,
    maxBytes: 256n * 1024n * 1024n,
    maxAgeSecs: 1800,
    bytes: 4_000_000n,
    keyframes: 29,
    branch: [
      { name: 'main', live: true, end: timeOf(2.5), segment: [segment(0, 0, 1.5), segment(2, 1.5, 2.5)] },
      { name: 'main-1', automatic: true, author: 'cli-848', cause: 'Resume from 1.500 s', parent: 'main', fork: timeOf(1.5), end: timeOf(5.7), segment: [segment(0, 1.5, 5.7)] },
      { name: 'trial', author: 'page 1', cause: 'Switch to main', parent: 'main', fork: timeOf(1), end: timeOf(3), segment: [segment(1, 1, 3)] },
    ],
    bookmark: [{ name: 'start', author: 'page 1', branch: 'main', epoch: 0n, simTime: timeOf(0.5) }],
    ...change,
  };
}

/** One branch whose beginning is gone. */
export function gappyTimeline(untilSecs: number, endSecs: number): Timeline {
  const gap = [{ from: timeOf(0), to: timeOf(untilSecs) }];
  return exampleTimeline({ branch: [{ name: 'main', live: true, end: timeOf(endSecs), segment: [segment(0, 0, endSecs)], gap }], bookmark: [] });
}

export function exampleTimeline(change: Init = {}): Timeline {
  return timelineOf(create(TimelineSchema, timelineMessage(change)));
}
