/** Which changes of the world make what is drawn another. */
import type { Kind } from '../../world/entity';
import type { PoseStore } from '../../world/poses';
import type { World, WorldChange } from '../../world/world';

/** A change of one of these makes batches, lights or layers another. */
const DRAWN = new Set(['geometry', 'material', 'visual', 'light', 'scene', 'kind', 'parent', 'inertial', 'joint']);

/** Kinds whose pose says where something is drawn, unless the pose frames say it. */
const PLACED = new Set<Kind>(['model', 'link', 'visual', 'light']);

/** Says whether batches, lights and outlines have to be made anew. */
export function changesDrawing(change: WorldChange, world: World, poses: PoseStore): boolean {
  if (change.structure) {
    return true;
  }
  for (const [id, names] of change.touched) {
    const stands = poses.indexOf(id) === undefined && PLACED.has(world.entity(id)?.kind ?? 'unknown');
    for (const name of names) {
      if (DRAWN.has(name) || (name === 'pose' && stands)) {
        return true;
      }
    }
  }
  return false;
}
