import type { Vec3 } from '../lib/pose';
import type { Reply } from '../protocol/generated/retake/msgs/page_pb';
import type { EntityId } from '../world/entity';
import { sendUserCommand, vectorMessage, type Sender } from './send';

/** A link, held at a place in its own frame and pulled to a place in the world. */
export interface Pull {
  readonly link: EntityId;
  readonly point: Vec3;
  readonly target: Vec3;
}

/** What one pull is called and belongs to, from taking hold to letting go. */
export interface PullGesture {
  readonly gesture: string;
  readonly description: string;
}

/** Pulls a link for a second of simulated time; whoever holds on sends it again and again. */
export function pullLink(sender: Sender, { link, point, target }: Pull, { gesture, description }: PullGesture): Promise<Reply> {
  const value = { link: `#${link}`, point: vectorMessage(point), target: vectorMessage(target) };
  return sendUserCommand(sender, { case: 'pullLink', value }, gesture, description);
}

/** Lets go of a link; refused when nothing pulls it. */
export function letGo(sender: Sender, link: EntityId, { gesture, description }: PullGesture): Promise<Reply> {
  return sendUserCommand(sender, { case: 'pullLink', value: { link: `#${link}` } }, gesture, description);
}
