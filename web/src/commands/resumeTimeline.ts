import { uuidV7 } from '../lib/uuid';
import type { Reply } from '../protocol/generated/retake/msgs/page_pb';
import type { StuckPolicy } from '../world/history';
import type { Instant } from '../world/timeline';
import { instantMessage } from './lookBack';
import { PAST_PATIENCE_MS, type Sender } from './send';
import { STUCK_SYSTEMS } from './undoRedo';

/**
 * Makes an instant of the past the present one, for everybody; what lies after it stays as a branch.
 * With the name of a fork a new branch begins there, and the present one stays as it is.
 */
export function resumeTimeline(sender: Sender, instant: Instant, stuck: StuckPolicy, fork = ''): Promise<Reply> {
  const value = { instant: instantMessage(instant), fork, stuckSystems: STUCK_SYSTEMS[stuck] };
  const command = { case: 'resumeTimeline', value } as const;
  return sender.request({ case: 'command', value: { id: uuidV7(), author: 'page', command } }, PAST_PATIENCE_MS);
}
