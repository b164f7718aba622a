import type { Reply } from '../protocol/generated/retake/msgs/page_pb';
import type { Entity, EntityId } from '../world/entity';
import { entityRef, sendUserCommand, type Sender } from './send';

/** Says whether a person may delete an entity: everything but the world itself. */
export function canDelete(entity: Entity): boolean {
  return entity.kind !== 'world' && entity.kind !== 'unknown';
}

/** Takes entities and all that hangs on them out of the world. */
export function deleteEntities(sender: Sender, ids: readonly EntityId[]): Promise<Reply> {
  return sendUserCommand(sender, { case: 'deleteEntities', value: { entity: ids.map(entityRef) } });
}
