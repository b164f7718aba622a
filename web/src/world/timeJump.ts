/** A jump of the simulated time, told to every client. */
import type { TimeJumped } from '../protocol/generated/retake/msgs/world_pb';
import { secsOf } from '../protocol/time';

export interface TimeJump {
  readonly fromSecs: number;
  readonly toSecs: number;
  /** "undo", "redo", "reset", "resume", "failed step", or what a newer server says. */
  readonly cause: string;
  /** Who asked for it; empty when nobody did. */
  readonly author: string;
  /** What was undone or redone. */
  readonly description: string;
}

export function timeJumpOf({ from, to, cause, author, description }: TimeJumped): TimeJump {
  return { fromSecs: secsOf(from), toSecs: secsOf(to), cause, author, description };
}
