/** The joints of a robot that motions can move. */
import { readMap, readMaps } from './components';
import type { Entity } from './entity';
import type { World } from './world';

/** Names of the joints of a model that have one axis, from the model on; none when there is no such model. */
export function movableJoints(world: World, robot: string): readonly string[] {
  const model = world.find(robot);
  if (model === undefined) {
    return [];
  }
  const before = world.pathOf(model.id).length + '::'.length;
  return world.subtree(model.id).filter(isMovable).map(({ id }) => world.pathOf(id).slice(before));
}

function isMovable(entity: Entity): boolean {
  const joint = entity.kind === 'joint' ? readMap(entity.component('joint')) : undefined;
  return joint !== undefined && readMaps(joint['axes']).length === 1;
}
