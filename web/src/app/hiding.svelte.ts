/** What this page does not show in its 3D view; a reload shows everything again. */
import type { Entity, EntityId } from '../world/entity';
import { canHide, NOTHING_HIDDEN, toggledHidden } from '../world/hidden';
import type { World } from '../world/world';

export class Hiding {
  ids: ReadonlySet<EntityId> = $state.raw(NOTHING_HIDDEN);

  constructor(private readonly world: World) {}

  /** Hides entities, or shows them again when all of them are hidden; says how many it was about. */
  toggle(ids: readonly EntityId[]): number {
    const seen = ids.filter((id) => {
      const entity = this.world.entity(id);
      return entity !== undefined && canHide(entity);
    });
    if (seen.length > 0) {
      this.ids = toggledHidden(this.ids, seen);
    }
    return seen.length;
  }

  /** Whether an entity is drawn, is hidden, or is nothing to see. */
  seen(entity: Entity | undefined): 'seen' | 'hidden' | 'nothing' {
    if (entity === undefined || !canHide(entity)) {
      return 'nothing';
    }
    return this.ids.has(entity.id) ? 'hidden' : 'seen';
  }

  showAll(): void {
    this.ids = NOTHING_HIDDEN;
  }
}
