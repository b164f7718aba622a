/** The page's mirror of the Ecm. It holds no truth: the host fills it, and fills it anew. */
import { Emitter } from '../lib/emitter';
import type { EntityState, SerializedState } from '../protocol/generated/retake/msgs/state_pb';
import { Entity, entityIdOf, type EntityId } from './entity';

/** What one state message changed. */
export interface WorldChange {
  /** Everything was replaced. */
  readonly replaced: boolean;
  /** Entities came, went, or changed their name, kind or parent. */
  readonly structure: boolean;
  /** Names of the changed components by entity; removed entities are not in it. */
  readonly touched: ReadonlyMap<EntityId, ReadonlySet<string>>;
}

const STRUCTURAL = new Set(['name', 'kind', 'parent']);

export class World {
  readonly changed = new Emitter<WorldChange>();
  private readonly byId = new Map<EntityId, Entity>();
  private childIndex: Map<EntityId | undefined, Entity[]> | undefined;

  get size(): number {
    return this.byId.size;
  }

  entity(id: EntityId): Entity | undefined {
    return this.byId.get(id);
  }

  /** Every entity, in the order they came. */
  entities(): Iterable<Entity> {
    return this.byId.values();
  }

  /** Children of an entity in the order of ids; without an id, the roots. */
  children(id: EntityId | undefined): readonly Entity[] {
    this.childIndex ??= this.indexChildren();
    return this.childIndex.get(id) ?? [];
  }

  /** The entity itself and its parents, outermost first. */
  lineage(id: EntityId): readonly Entity[] {
    const path: Entity[] = [];
    let next = this.byId.get(id);
    // A broken sender could make a ring of parents; no entity may appear twice.
    while (next !== undefined && !path.includes(next)) {
      path.push(next);
      next = next.parent === undefined ? undefined : this.byId.get(next.parent);
    }
    return path.reverse();
  }

  /** Path of an entity from the world, as in `model::link`. */
  pathOf(id: EntityId): string {
    return this.lineage(id).filter(({ kind }) => kind !== 'world').map(({ name }) => name).join('::');
  }

  /** The entity and everything below it. */
  subtree(id: EntityId): readonly Entity[] {
    const root = this.byId.get(id);
    const found = new Set<Entity>(root === undefined ? [] : [root]);
    for (const entity of found) {
      for (const child of this.children(entity.id)) {
        found.add(child);
      }
    }
    return [...found];
  }

  /** Finds an entity by its path from the world, as in `vehicle::chassis`. */
  find(path: string): Entity | undefined {
    const worldEntity = this.children(undefined).find((entity) => entity.kind === 'world');
    let found: Entity | undefined = worldEntity;
    for (const part of path.split('::')) {
      found = this.children(found?.id).find((entity) => entity.name === part);
      if (found === undefined) {
        return undefined;
      }
    }
    return found;
  }

  /** Takes in a state: a full one replaces all, a delta is laid over. */
  apply(state: SerializedState): void {
    const before = this.byId.size;
    if (state.full) {
      this.byId.clear();
    }
    const touched = new Map<EntityId, ReadonlySet<string>>();
    let structure = state.full;
    for (const entityState of state.entities) {
      const id = entityIdOf(entityState.id);
      if (entityState.removed) {
        structure = this.byId.delete(id) || structure;
        continue;
      }
      structure = !this.byId.has(id) || structure;
      const names = this.applyEntity(id, entityState, state);
      structure = structure || [...names].some((name) => STRUCTURAL.has(name));
      touched.set(id, names);
    }
    if (structure || before !== this.byId.size) {
      this.childIndex = undefined;
    }
    this.changed.emit({ replaced: state.full, structure, touched });
  }

  private applyEntity(id: EntityId, entityState: EntityState, state: SerializedState): Set<string> {
    const entity = this.byId.get(id) ?? new Entity(id);
    this.byId.set(id, entity);
    const names = new Set<string>();
    for (const component of entityState.components) {
      const name = state.types[component.typeIndex]?.name;
      if (name === undefined) {
        continue; // An index outside of the list: the value has no name to keep it under.
      }
      names.add(name);
      if (component.removed) {
        entity.removeComponent(name);
      } else {
        entity.setComponent(name, component.value);
      }
    }
    return names;
  }

  private indexChildren(): Map<EntityId | undefined, Entity[]> {
    const index = new Map<EntityId | undefined, Entity[]>();
    const sorted = [...this.byId.values()].sort((a, b) => a.id - b.id);
    for (const entity of sorted) {
      const parent = entity.parent !== undefined && this.byId.has(entity.parent) ? entity.parent : undefined;
      const siblings = index.get(parent) ?? [];
      siblings.push(entity);
      index.set(parent, siblings);
    }
    return index;
  }
}
