/** What is selected, in the order of choosing: the last one is what the inspector shows. */
import type { EntityId } from '../world/entity';
import type { World } from '../world/world';

export class Selection {
  ids: readonly EntityId[] = $state.raw([]);
  /** Entities to select once they are here. */
  private awaited: readonly EntityId[] = [];

  constructor(
    private readonly world: World,
    /** The last one is another. */
    private readonly changed: () => void,
  ) {}

  /** The one that was chosen last. */
  get last(): EntityId | undefined {
    return this.ids.at(-1);
  }

  use(ids: readonly EntityId[]): void {
    this.awaited = [];
    this.ids = ids.filter((id, place) => ids.indexOf(id) === place);
    this.changed();
  }

  /** Adds one, or takes it out. */
  toggle(id: EntityId): void {
    this.use(toggled(this.ids, id));
  }

  /** Selects entities as soon as the mirror has them all. */
  useWhenHere(ids: readonly EntityId[]): void {
    this.awaited = ids;
    this.follow();
  }

  /** Lets go of what is gone, and takes what was awaited. */
  follow(): void {
    const isHere = (id: EntityId): boolean => this.world.entity(id) !== undefined;
    if (this.awaited.length > 0 && this.awaited.every(isHere)) {
      this.use(this.awaited);
    } else if (!this.ids.every(isHere)) {
      const { awaited } = this;
      this.use(this.ids.filter(isHere));
      this.awaited = awaited;
    }
  }
}

/** Returns a selection with one more, which is the last then, or with one less. */
export function toggled(ids: readonly EntityId[], id: EntityId): readonly EntityId[] {
  return ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id];
}

/** Returns the selected entities without those that are part of another selected one. */
export function topmost(world: World, ids: readonly EntityId[]): readonly EntityId[] {
  return ids.filter((id) => !world.lineage(id).slice(0, -1).some((above) => ids.includes(above.id)));
}
