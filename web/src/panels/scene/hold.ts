/** Taking hold of a link in the view: what can be held, and where the pointer pulls it to. */
import { compose, rotate, type Pose, type Vec3 } from '../../lib/pose';
import { readMap } from '../../world/components';
import type { EntityId } from '../../world/entity';
import type { World } from '../../world/world';

/** Returns the link that holds a visual; undefined when it never moves. */
export function linkToHold(world: World, visual: EntityId): EntityId | undefined {
  const lineage = world.lineage(visual);
  const fixed = lineage.some((entity) => readMap(entity.component('model'))?.['is_static'] === true);
  return fixed ? undefined : lineage.findLast((entity) => entity.kind === 'link')?.id;
}

/** Turns a point of the world into one in the frame of a link. */
export function pointInLink({ position, rotation: [x, y, z, w] }: Pose, point: Vec3): Vec3 {
  return rotate([-x, -y, -z, w], minus(point, position));
}

/** Turns a point in the frame of a link into one of the world. */
export function pointInWorld(worldFromLink: Pose, point: Vec3): Vec3 {
  return compose(worldFromLink, { position: point, rotation: [0, 0, 0, 1] }).position;
}

/**
 * Where a ray meets the plane through a point, across the direction that the camera looks in;
 * undefined when it does not.
 */
export function onPlane(ray: { readonly origin: Vec3; readonly direction: Vec3 }, through: Vec3, across: Vec3): Vec3 | undefined {
  const along = dot(ray.direction, across);
  const far = dot(minus(through, ray.origin), across) / along;
  if (!Number.isFinite(far) || far <= 0) {
    return undefined;
  }
  const [[x, y, z], [dx, dy, dz]] = [ray.origin, ray.direction];
  return [x + dx * far, y + dy * far, z + dz * far];
}

function minus([ax, ay, az]: Vec3, [bx, by, bz]: Vec3): Vec3 {
  return [ax - bx, ay - by, az - bz];
}

function dot([ax, ay, az]: Vec3, [bx, by, bz]: Vec3): number {
  return ax * bx + ay * by + az * bz;
}
