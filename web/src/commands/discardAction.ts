import type { Reply } from '../protocol/generated/retake/msgs/page_pb';
import type { Sender } from './send';

/** Drops an action that the GUI holds until the world goes on. */
export function discardAction(sender: Sender, id: string): Promise<Reply> {
  return sender.request({ case: 'discard', value: { id } });
}
