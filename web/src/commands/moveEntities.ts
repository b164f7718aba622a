/** Puts entities somewhere else. */
import type { Quat, Vec3 } from '../lib/pose';
import type { Reply } from '../protocol/generated/retake/msgs/page_pb';
import type { EntityId } from '../world/entity';
import { entityRef, orientationMessage, sendUserCommand, vectorMessage, type Sender } from './send';

/** Where an entity goes, in the world; what is absent stays. */
export interface Move {
  readonly entity: EntityId;
  readonly position?: Vec3 | undefined;
  readonly rotation?: Quat | undefined;
}

/** Moves entities in one command. What moves loses its speed. */
export function moveEntities(sender: Sender, moves: readonly Move[], description = ''): Promise<Reply> {
  const messages = moves.map(moveMessage);
  const [only] = messages;
  return only !== undefined && messages.length === 1
    ? sendUserCommand(sender, { case: 'moveEntity', value: only }, '', description)
    : sendUserCommand(sender, { case: 'moveEntities', value: { move: messages } }, '', description);
}

function moveMessage({ entity, position, rotation }: Move) {
  return {
    entity: entityRef(entity),
    ...(position === undefined ? {} : { position: vectorMessage(position) }),
    ...(rotation === undefined ? {} : { orientation: orientationMessage(rotation) }),
  };
}
