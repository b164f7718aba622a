/** What is selected, in the order of choosing: the last one is what the inspector shows. */
import type { EntityId } from '../world/entity';
import type { World } from '../world/world';

export class Selection {
  ids: readonly EntityId[] = $state.raw([]);
  /** Entities to select once they are here. */
  private awaited: readonly EntityId[] = [];
  /** Counts what the person chose; what comes and goes by itself does not count. */
  private choices = 0;

  constructor(
    private readonly world: World,
    /** The last one is another. */
    private readonly changed: () => void,
  ) {}

  /** The one that was chosen last. */
  get last(): EntityId | undefined {
    return this.ids.at(-1);
  }

  /** Takes what the person chose. */
  use(ids: readonly EntityId[]): void {
    this.choices += 1;
    this.take(ids);
  }

  /** Adds one, or takes it out. */
  toggle(id: EntityId): void {
    this.use(toggled(this.ids, id));
  }

  /**
   * Begins to wait for something new. What is returned selects it as soon as the mirror has all of
   * it, unless the person has chosen something else since: what they look at stays.
   */
  awaiting(): (ids: readonly EntityId[]) => void {
    const { choices } = this;
    return (ids) => {
      if (choices === this.choices) {
        this.awaited = ids;
        this.follow();
      }
    };
  }

  /** Lets go of what is gone, and takes what was awaited. */
  follow(): void {
    const isHere = (id: EntityId): boolean => this.world.entity(id) !== undefined;
    if (this.awaited.length > 0 && this.awaited.every(isHere)) {
      this.take(this.awaited);
    } else if (!this.ids.every(isHere)) {
      const { awaited } = this;
      this.take(this.ids.filter(isHere));
      this.awaited = awaited;
    }
  }

  private take(ids: readonly EntityId[]): void {
    this.awaited = [];
    this.ids = ids.filter((id, place) => ids.indexOf(id) === place);
    this.changed();
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
