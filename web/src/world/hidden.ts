/** What a person does not want to see in the 3D view. It is about looking: the world knows nothing of it. */
import type { Entity, EntityId } from './entity';
import type { World } from './world';

export const NOTHING_HIDDEN: ReadonlySet<EntityId> = new Set();

/** Says whether something is seen of an entity that could be hidden. */
export function canHide({ kind }: Pick<Entity, 'kind'>): boolean {
  return kind === 'model' || kind === 'link' || kind === 'visual';
}

/** Says whether an entity, or something that it is part of, is hidden. */
export function isHidden(world: World, hidden: ReadonlySet<EntityId>, id: EntityId): boolean {
  return hidden.size > 0 && world.lineage(id).some((entity) => hidden.has(entity.id));
}

/** Returns what is hidden after a wish about some entities: all are, unless all were already. */
export function toggledHidden(hidden: ReadonlySet<EntityId>, ids: readonly EntityId[]): ReadonlySet<EntityId> {
  const shows = ids.every((id) => hidden.has(id));
  return new Set(shows ? [...hidden].filter((id) => !ids.includes(id)) : [...hidden, ...ids]);
}
