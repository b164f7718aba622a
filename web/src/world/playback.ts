/** A log that is being shown, as the host told it: the file, and where it is. */
import { LogMark_Kind, type LogMark, type LogStretch, type Playback, type PlaybackFile } from '../protocol/generated/retake/msgs/log_pb';
import { fileNameOf } from './recording';

/** A log, with all that does not change while it plays. Times are recording times unless named otherwise. */
export interface LogFile {
  readonly name: string;
  readonly path: string;
  readonly lengthSecs: number;
  /** Without a jump inside, in the order of the recording. */
  readonly stretches: readonly Stretch[];
  /** In the order of the recording. */
  readonly marks: readonly Mark[];
  /** What is missing or damaged, for people to read. */
  readonly damage: readonly string[];
}

export interface Stretch {
  readonly epoch: number;
  readonly beginSecs: number;
  readonly endSecs: number;
  /** Simulated time at its beginning. */
  readonly simSecs: number;
}

export interface Mark {
  readonly kind: 'jump' | 'command' | 'gap';
  readonly atSecs: number;
  readonly text: string;
  readonly author: string;
  /** Simulated times: before and after a jump, or of the first and last state that a gap lacks. */
  readonly fromSecs: number;
  readonly toSecs: number;
}

/** Where the log is. */
export interface Place {
  readonly atSecs: number;
  readonly simSecs: number;
  readonly epoch: number;
  /** Which of the passes over the same simulated time this is, from 0, and how many there are. */
  readonly pass: number;
  readonly passes: number;
  readonly playing: boolean;
  readonly speed: number;
  readonly repeat: boolean;
}

export function logFileOf({ file, lengthSecs, stretch, mark, damage }: PlaybackFile): LogFile {
  const marks = mark.map(markOf).filter((known) => known !== undefined);
  return {
    name: fileNameOf(file),
    path: file,
    lengthSecs: Math.max(lengthSecs, 0),
    stretches: stretch.map(stretchOf),
    marks: marks.sort((a, b) => a.atSecs - b.atSecs),
    damage,
  };
}

export function placeOf({ atSecs, simSecs, epoch, pass, passes, playing, speed, repeat }: Playback): Place {
  return { atSecs, simSecs, epoch: Number(epoch), pass, passes, playing, speed, repeat };
}

/** Returns the simulated time at a recording time; undefined where no stretch is. */
export function simTimeAt({ stretches }: LogFile, atSecs: number): number | undefined {
  const stretch = stretchAt(stretches, atSecs);
  return stretch && stretch.simSecs + Math.min(atSecs, stretch.endSecs) - stretch.beginSecs;
}

/** Where one stretch ends the next one begins: what is there is of the later one. */
function stretchAt(stretches: readonly Stretch[], atSecs: number): Stretch | undefined {
  return stretches.findLast(({ beginSecs }) => beginSecs <= atSecs);
}

function stretchOf({ epoch, beginSecs, endSecs, simSecs }: LogStretch): Stretch {
  return { epoch: Number(epoch), beginSecs, endSecs, simSecs };
}

/** Kinds that only later versions know are passed over. */
function markOf({ kind, atSecs, text, author, fromSecs, toSecs }: LogMark): Mark | undefined {
  const rest = { atSecs, text, author, fromSecs, toSecs };
  switch (kind) {
    case LogMark_Kind.JUMP:
      return { kind: 'jump', ...rest };
    case LogMark_Kind.COMMAND:
      return { kind: 'command', ...rest };
    case LogMark_Kind.GAP:
      return { kind: 'gap', ...rest };
    case LogMark_Kind.UNSPECIFIED:
    default:
      return undefined;
  }
}
