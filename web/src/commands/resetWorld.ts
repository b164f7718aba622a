import type { Reply } from '../protocol/generated/retake/msgs/page_pb';
import { sendUserCommand, type Sender } from './send';

/** Brings the world back to how its file describes it, on request with the physics profiles as they are now. */
export function resetWorld(sender: Sender, { keepProfiles = false } = {}): Promise<Reply> {
  return sendUserCommand(sender, { case: 'resetWorld', value: { keepProfiles } });
}
