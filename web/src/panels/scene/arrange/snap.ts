/** Putting a place on one thing against a place on another, as the server does it. */
import type { SurfacePlace } from '../../../commands/snapEntity';
import { compose, multiplyQuat, normalizedQuat, rotate, type Pose, type Quat, type Vec3 } from '../../../lib/pose';
import { cross, dot, minus, plus, times, unit } from '../../../lib/vector';
import type { EntityId } from '../../../world/entity';

/** A place on a surface, in the world. */
export interface WorldPlace {
  readonly point: Vec3;
  /** Points outward, of length 1. */
  readonly normal: Vec3;
}

/** Tells a place in the frame of an entity. */
export function placeOn(entity: EntityId, worldFromEntity: Pose, { point, normal }: WorldPlace): SurfacePlace {
  const [x, y, z, w] = worldFromEntity.rotation;
  const back: Quat = [-x, -y, -z, w];
  return { entity, point: rotate(back, minus(point, worldFromEntity.position)), normal: rotate(back, normal) };
}

/** Tells a place of an entity in the world. */
export function placeInWorld({ point, normal }: SurfacePlace, worldFromEntity: Pose): WorldPlace {
  const at = compose(worldFromEntity, { position: point, rotation: [0, 0, 0, 1] });
  return { point: at.position, normal: rotate(worldFromEntity.rotation, normal) };
}

/** Returns where a thing goes when `from` on it is laid flat against `to`. */
export function snappedPose(pose: Pose, from: WorldPlace, to: WorldPlace): Pose {
  const turn = shortestTurn(from.normal, times(to.normal, -1));
  const position = plus(to.point, rotate(turn, minus(pose.position, from.point)));
  return { position, rotation: normalizedQuat(multiplyQuat(turn, pose.rotation)) ?? pose.rotation };
}

/** Returns the shortest rotation that turns one direction into another. */
export function shortestTurn(from: Vec3, to: Vec3): Quat {
  const along = dot(from, to);
  if (along < -0.999999) {
    // Any axis across does; the server takes one of its own, and both lie flat.
    const other: Vec3 = Math.abs(from[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
    const [x, y, z] = unit(cross(from, other));
    return [x, y, z, 0];
  }
  const [x, y, z] = cross(from, to);
  return normalizedQuat([x, y, z, 1 + along]) ?? [0, 0, 0, 1];
}
