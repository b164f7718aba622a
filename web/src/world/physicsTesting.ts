/** Makes physics profiles for tests as the wire would bring them. */
import { create, type MessageInitShape } from '@bufbuild/protobuf';

import { PhysicsStateSchema } from '../protocol/generated/retake/msgs/physics_pb';
import { physicsOf, type Physics } from './physics';

export { PhysicsKey_Kind as Kind } from '../protocol/generated/retake/msgs/physics_pb';

export type PhysicsInit = MessageInitShape<typeof PhysicsStateSchema>;

export function physicsFrom(init: PhysicsInit): Physics {
  return physicsOf(create(PhysicsStateSchema, init));
}
