import type { Vec3 } from '../lib/pose';
import { uuidV7 } from '../lib/uuid';
import type { EntityId } from '../world/entity';
import { entityRef, sendUserCommand, vectorMessage, type Sender } from './send';

/** How much larger an entity becomes along its own axes. */
export interface Scaling {
  readonly entity: EntityId;
  readonly factor: Vec3;
}

/** Scales entities, as one entry of the history; those before one that is refused stay scaled. */
export async function scaleEntities(sender: Sender, scalings: readonly Scaling[]): Promise<void> {
  const gesture = scalings.length > 1 ? uuidV7() : '';
  const description = scalings.length > 1 ? `Scale ${scalings.length} entities` : '';
  for (const { entity, factor } of scalings) {
    const value = { entity: entityRef(entity), factor: vectorMessage(factor) };
    await sendUserCommand(sender, { case: 'scaleEntity', value }, gesture, description);
  }
}
