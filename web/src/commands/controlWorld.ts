/** Play, pause, step and speed. They change the clock, not the world, so they cannot be undone. */
import type { Reply } from '../protocol/generated/retake/msgs/page_pb';
import type { Sender } from './send';

export function setPaused(sender: Sender, pause: boolean): Promise<Reply> {
  return sender.request({ case: 'control', value: { pause } });
}

/** Makes `steps` steps while paused. */
export function stepWorld(sender: Sender, steps = 1): Promise<Reply> {
  return sender.request({ case: 'control', value: { multiStep: steps } });
}

/** Sets the real time factor to aim at; 0 means as fast as possible. */
export function setSpeed(sender: Sender, realTimeFactor: number): Promise<Reply> {
  return sender.request({ case: 'control', value: { realTimeFactor } });
}
