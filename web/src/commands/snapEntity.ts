import type { Vec3 } from '../lib/pose';
import type { Reply } from '../protocol/generated/retake/msgs/page_pb';
import type { EntityId } from '../world/entity';
import { entityRef, sendUserCommand, vectorMessage, type Sender } from './send';

/** A place on a surface, in the frame of the entity. */
export interface SurfacePlace {
  readonly entity: EntityId;
  readonly point: Vec3;
  /** Points outward. */
  readonly normal: Vec3;
}

/** Moves and turns an entity so that a place on it lies flat against a place on another. */
export function snapEntity(sender: Sender, from: SurfacePlace, to: SurfacePlace): Promise<Reply> {
  return sendUserCommand(sender, { case: 'snapEntity', value: { from: placeMessage(from), to: placeMessage(to) } });
}

function placeMessage({ entity, point, normal }: SurfacePlace) {
  return { entity: entityRef(entity), point: vectorMessage(point), normal: vectorMessage(normal) };
}
