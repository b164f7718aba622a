/** The recording of the world, as the server told it last. */
import type { LogStatus } from '../protocol/generated/retake/msgs/log_pb';
import { secsOf } from '../protocol/time';

export interface Recording {
  /** Whether something is being recorded now. */
  readonly active: boolean;
  /** The file that is written or was written last; empty before the first. */
  readonly file: string;
  readonly bytes: number;
  /** Simulated time that was recorded, counted on through jumps. */
  readonly recordedSecs: number;
  /** Records that were left out because the disk could not follow. */
  readonly dropped: number;
  /** Why it ended by itself; empty when it did not. */
  readonly ended: string;
}

export function recordingOf({ recording, file, bytes, recorded, dropped, ended }: LogStatus): Recording {
  return { active: recording, file, bytes: Number(bytes), recordedSecs: secsOf(recorded), dropped: Number(dropped), ended };
}

/** The last part of a path, of either kind of system. */
export function fileNameOf(path: string): string {
  return path.split(/[/\\]/u).at(-1) ?? path;
}
