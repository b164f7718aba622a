/** The kept past of the world, as the server told it last. Times are simulated seconds. */
import type { Timeline as TimelineMessage, TimelineBranch } from '../protocol/generated/retake/msgs/timeline_pb';
import { secsOf } from '../protocol/time';

export interface Timeline {
  /** Whether anything is kept. */
  readonly enabled: boolean;
  readonly maxBytes: number;
  /** What lies further back is dropped. */
  readonly maxAgeSecs: number;
  readonly bytes: number;
  /** Complete states; between them the world is simulated again. */
  readonly keyframes: number;
  /** The one that goes on comes first. Together their segments show every kept stretch once. */
  readonly branches: readonly Branch[];
  readonly bookmarks: readonly Bookmark[];
  /** Branches and bookmarks that there was no room for any more. */
  readonly dropped: number;
}

export interface Branch {
  readonly name: string;
  /** Whether the world goes on with it. */
  readonly live: boolean;
  /** Its name was made by a jump. */
  readonly automatic: boolean;
  /** Who left it, and by what; empty of one that nobody left. */
  readonly author: string;
  readonly cause: string;
  /** The branch that it leaves, and when; undefined of the first. */
  readonly fork: { readonly of: string; readonly atSecs: number } | undefined;
  readonly endSecs: number;
  /** Its own stretches in the order of time. */
  readonly segments: readonly Segment[];
  /** What of them cannot be shown any more. */
  readonly gaps: readonly Span[];
}

export interface Span {
  readonly fromSecs: number;
  readonly toSecs: number;
}

/** A part of a stretch between two jumps. */
export interface Segment extends Span {
  readonly epoch: number;
}

export interface Bookmark {
  readonly name: string;
  readonly author: string;
  readonly branch: string;
  readonly epoch: number;
  readonly atSecs: number;
}

/** An instant of the kept past, by a name or by branch and time; without a time it is the end of the branch. */
export type Instant = { readonly bookmark: string } | { readonly branch: string; readonly secs?: number | undefined };

/** An instant as it was found: the stretch and the time say which it is, whatever branches are called. */
export interface FoundInstant {
  readonly epoch: number;
  readonly secs: number;
  /** Steps that were made since the world began. */
  readonly iterations: number;
  /** What is not as it was; empty when all is. */
  readonly remark: string;
}

export function timelineOf(message: TimelineMessage): Timeline {
  const { enabled, maxAgeSecs, keyframes } = message;
  return {
    enabled,
    maxAgeSecs,
    keyframes,
    maxBytes: Number(message.maxBytes),
    bytes: Number(message.bytes),
    branches: message.branch.map(branchOf),
    bookmarks: message.bookmark.map(({ name, author, branch, epoch, simTime }) => ({
      name, author, branch, epoch: Number(epoch), atSecs: secsOf(simTime),
    })),
    dropped: Number(message.dropped),
  };
}

function branchOf({ name, live, automatic, author, cause, parent, fork, end, segment, gap }: TimelineBranch): Branch {
  return {
    name,
    live,
    automatic,
    author,
    cause,
    fork: parent === '' ? undefined : { of: parent, atSecs: secsOf(fork) },
    endSecs: secsOf(end),
    segments: segment.map(({ epoch, from, to }) => ({ epoch: Number(epoch), fromSecs: secsOf(from), toSecs: secsOf(to) })),
    gaps: gap.map(({ from, to }) => ({ fromSecs: secsOf(from), toSecs: secsOf(to) })),
  };
}

/** Returns the branch that goes on. */
export function liveBranch({ branches }: Timeline): Branch | undefined {
  return branches.find(({ live }) => live);
}

/** Returns the stretch that goes on; every jump in time begins another one. */
export function liveEpoch(timeline: Timeline): number | undefined {
  return liveBranch(timeline)?.segments.at(-1)?.epoch;
}

/** Returns the branch whose own stretch an instant is in; undefined when it is not kept any more. */
export function branchThrough({ branches }: Timeline, { epoch, secs }: Pick<FoundInstant, 'epoch' | 'secs'>): Branch | undefined {
  const holds = (segment: Segment, live: boolean): boolean =>
    segment.epoch === epoch && segment.fromSecs <= secs && (live || secs <= segment.toSecs);
  // Where a branch leaves another one the instant is of both: it is told as the older one's.
  return branches.find(({ segments, live }) => segments.some((segment, index) => holds(segment, live && index === segments.length - 1)));
}
