/** What of a selection the handles of the view can hold. */
import type { EntityId, Kind } from '../world/entity';
import type { World } from '../world/world';
import { topmost } from './selection.svelte';

/** Kinds that the server moves; it has the last word, as with links that a joint holds. */
const MOVABLE: ReadonlySet<Kind> = new Set<Kind>(['model', 'link', 'light', 'collision', 'visual', 'sensor']);

/** Returns the selected things that can be moved, without parts of one another, the last one last. */
export function movableOf(world: World, ids: readonly EntityId[]): readonly EntityId[] {
  return topmost(world, ids).filter((id) => MOVABLE.has(world.entity(id)?.kind ?? 'unknown'));
}
