/** Where things are on the timeline of a log. Places are shares of its width, from 0 to 1. */
import { formatLogTime } from '../../lib/format';
import { secsAtShare, shareIn, ticksIn, type Tick, type TimeRange } from '../../lib/timeAxis';
import { simTimeAt, type LogFile, type Mark, type Place } from '../../world/playback';

/** What a person can choose; the host takes anything from 0.1 to 10. */
export const SPEEDS: readonly number[] = [0.1, 0.25, 0.5, 1, 2, 5, 10];

/** Lines of a tooltip before it says how many more there are. */
const MOST_LINES = 8;

/** A stretch of simulated time without a jump. */
export interface Segment {
  readonly left: number;
  readonly width: number;
  readonly epoch: number;
  /** Every other one is shaded. */
  readonly shaded: boolean;
  readonly title: string;
}

/** One mark, or several that are too near one another to tell apart. */
export interface MarkShape {
  readonly kind: Mark['kind'];
  readonly left: number;
  /** 0 for what happened in an instant. */
  readonly width: number;
  readonly atSecs: number;
  readonly count: number;
  /** Whether simulated time went on at the first of them. */
  readonly forwards: boolean;
  readonly title: string;
}

/** Returns where a recording time is. */
export function shareOf(file: Pick<LogFile, 'lengthSecs'>, atSecs: number): number {
  return shareIn(rangeOf(file), atSecs);
}

/** Returns the recording time at a place. */
export function secsAt(file: Pick<LogFile, 'lengthSecs'>, share: number): number {
  return secsAtShare(rangeOf(file), share);
}

export function segmentsOf(file: LogFile): readonly Segment[] {
  return file.stretches.map(({ epoch, beginSecs, endSecs, simSecs }, index) => {
    const left = shareOf(file, beginSecs);
    const until = simSecs + endSecs - beginSecs;
    return {
      left,
      width: Math.max(shareOf(file, endSecs) - left, 0),
      epoch,
      shaded: index % 2 === 1,
      title: `Epoch ${epoch}: sim ${formatLogTime(simSecs)} to ${formatLogTime(until)}`,
    };
  });
}

/** Marks of one kind that are nearer than `nearest` become one; gaps lie below, jumps on top. */
export function marksOf(file: LogFile, nearest: number): readonly MarkShape[] {
  return (['gap', 'command', 'jump'] as const).flatMap((kind) => {
    const groups: Mark[][] = [];
    for (const mark of file.marks.filter((candidate) => candidate.kind === kind)) {
      const group = groups.at(-1);
      const first = group?.[0];
      if (first !== undefined && shareOf(file, mark.atSecs) - shareOf(file, first.atSecs) < nearest) {
        group?.push(mark);
      } else {
        groups.push([mark]);
      }
    }
    return groups.map((group) => shapeOf(file, kind, group));
  });
}

/** What a mark says when it is pointed at. */
export function markTitle({ kind, text, author, atSecs, fromSecs, toSecs }: Mark): string {
  const by = author === '' ? '' : ` by ${author}`;
  switch (kind) {
    case 'jump':
      return `${text || 'jump'}${by}: ${formatLogTime(fromSecs)} → ${formatLogTime(toSecs)}`;
    case 'command':
      return `${text || 'command'}${by}, rec ${formatLogTime(atSecs)}`;
    case 'gap':
      return `${text || 'Records are missing'}, rec ${formatLogTime(atSecs)}`;
  }
}

/** Returns the nearest mark before or after a recording time; undefined when there is none. */
export function markBeside({ marks }: LogFile, atSecs: number, direction: 'before' | 'after'): number | undefined {
  // The state that is shown may be a little before or after the mark that was asked for.
  const slack = 1e-6;
  const found = direction === 'after' ? marks.find((mark) => mark.atSecs > atSecs + slack) : marks.findLast((mark) => mark.atSecs < atSecs - slack);
  return found?.atSecs;
}

/** Times to write below, not more than `most` of them, in round steps. */
export function ticksOf(file: Pick<LogFile, 'lengthSecs'>, most: number): readonly Tick[] {
  return ticksIn(rangeOf(file), most);
}

/** What the timeline says when a place on it is pointed at. */
export function hoverText(file: LogFile, share: number): string {
  const atSecs = secsAt(file, share);
  const sim = simTimeAt(file, atSecs);
  return `rec ${formatLogTime(atSecs)}${sim === undefined ? '' : ` · sim ${formatLogTime(sim)}`}`;
}

/** What screen readers say of where the log is. */
export function spokenPlace({ lengthSecs }: LogFile, { simSecs, atSecs, epoch }: Place): string {
  return `Simulated time ${formatLogTime(simSecs)}, recording ${formatLogTime(atSecs)} of ${formatLogTime(lengthSecs)}, epoch ${epoch}`;
}

function shapeOf(file: LogFile, kind: Mark['kind'], group: readonly Mark[]): MarkShape {
  const starts = group.map(({ atSecs }) => atSecs);
  const atSecs = starts[0] ?? 0;
  // Within a stretch simulated time grows as recording time does.
  const ends = group.map((mark) => mark.atSecs + (kind === 'gap' ? Math.max(mark.toSecs - mark.fromSecs, 0) : 0));
  const left = shareOf(file, atSecs);
  return {
    kind,
    left,
    width: kind === 'gap' ? Math.max(shareOf(file, Math.max(...ends)) - left, 0) : 0,
    atSecs,
    count: group.length,
    forwards: group[0] !== undefined && group[0].toSecs > group[0].fromSecs,
    title: lines(group.map(markTitle)),
  };
}

function lines(titles: readonly string[]): string {
  const more = titles.length - MOST_LINES;
  return more > 0 ? [...titles.slice(0, MOST_LINES), `… and ${more} more`].join('\n') : titles.join('\n');
}

function rangeOf({ lengthSecs }: Pick<LogFile, 'lengthSecs'>): TimeRange {
  return { fromSecs: 0, toSecs: lengthSecs };
}
