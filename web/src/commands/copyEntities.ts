import type { Pose } from '../lib/pose';
import { uuidV7 } from '../lib/uuid';
import { entityIdOf, type EntityId } from '../world/entity';
import { entityRef, poseMessage, sendUserCommand, type Sender } from './send';

/** Something to make another of. */
export interface Copy {
  readonly entity: EntityId;
  /** Where the copy goes, in the world. */
  readonly pose: Pose;
}

/** Puts more like these into the world, as one entry of the history; returns the copies. */
export async function copyEntities(sender: Sender, copies: readonly Copy[]): Promise<readonly EntityId[]> {
  const gesture = copies.length > 1 ? uuidV7() : '';
  const description = copies.length > 1 ? `Paste ${copies.length} entities` : '';
  const made: EntityId[] = [];
  for (const { entity, pose } of copies) {
    const value = { entity: entityRef(entity), pose: poseMessage(pose) };
    const reply = await sendUserCommand(sender, { case: 'copyEntity', value }, gesture, description);
    made.push(...reply.entities.map(entityIdOf));
  }
  return made;
}
