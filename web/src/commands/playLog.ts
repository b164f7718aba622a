/** Plays a log and seeks in it. Nothing here changes the log. */
import type { Sender } from './send';

export interface PlayChange {
  readonly play?: boolean;
  /** 0.1 to 10. */
  readonly speed?: number;
  /** Whether it begins anew at the end. */
  readonly repeat?: boolean;
}

export async function changePlay(sender: Sender, change: PlayChange): Promise<void> {
  await sender.request({ case: 'playback', value: { ...change } });
}

/** Goes some recorded states on, or back when negative; pauses. */
export async function stepLog(sender: Sender, step: number): Promise<void> {
  await sender.request({ case: 'playback', value: { step } });
}

/** Goes to a recording time. */
export async function seekLog(sender: Sender, atSecs: number): Promise<void> {
  await sender.request({ case: 'playback', value: { seek: { case: 'atSecs', value: atSecs } } });
}

/** Goes to a simulated time, in one of the passes over it, from 0. */
export async function seekSimTime(sender: Sender, secs: number, pass: number): Promise<void> {
  await sender.request({ case: 'playback', value: { seek: { case: 'simTime', value: { secs, pass } } } });
}
