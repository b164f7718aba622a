import { IDENTITY_POSE, type Pose } from '../lib/pose';
import type { Reply } from '../protocol/generated/retake/msgs/page_pb';
import type { EntityId } from '../world/entity';
import { entityRef, poseMessage, sendUserCommand, type Sender } from './send';

/** Something to put into the world, or into an entity of it. */
export interface Insertion {
  /** A document with one element. */
  readonly sdf: string;
  /** What holds it; absent: the world. */
  readonly parent?: EntityId;
  /** In the frame of what holds it; absent: as the document says. */
  readonly pose?: Pose;
}

/** Puts something new into the world; a name that is taken gets a number. */
export function insertEntity(sender: Sender, { sdf, parent, pose }: Insertion): Promise<Reply> {
  const value = {
    sdf,
    allowRenaming: true,
    ...(parent === undefined ? {} : { parent: entityRef(parent) }),
    ...(pose === undefined ? {} : { pose: poseMessage(pose) }),
  };
  return sendUserCommand(sender, { case: 'insertEntity', value });
}

/** A pose on the ground plane that is not turned. */
export function poseAt(x: number, y: number, z: number): Pose {
  return { ...IDENTITY_POSE, position: [x, y, z] };
}
