import type { Reply } from '../protocol/generated/retake/msgs/page_pb';
import { sendUserCommand, type Sender } from './send';

/** Brings the world back to how its file describes it. */
export function resetWorld(sender: Sender): Promise<Reply> {
  return sendUserCommand(sender, { case: 'resetWorld', value: {} });
}
