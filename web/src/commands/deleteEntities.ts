import type { Reply } from '../protocol/generated/retake/msgs/page_pb';
import type { Entity, EntityId } from '../world/entity';
import { sendUserCommand, type Sender } from './send';

/** Says whether a person may delete an entity of this kind: things, not parts of them. */
export function canDelete(entity: Entity): boolean {
  return entity.kind === 'model' || entity.kind === 'light';
}

/** Takes entities and all that hangs on them out of the world. */
export function deleteEntities(sender: Sender, ids: readonly EntityId[]): Promise<Reply> {
  const entity = ids.map((id) => ({ by: { case: 'id' as const, value: BigInt(id) } }));
  return sendUserCommand(sender, { case: 'deleteEntities', value: { entity } });
}
