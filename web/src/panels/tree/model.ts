/** The rows of the entity tree: what is open, what matches the search, where the keys lead. */
import type { Entity, EntityId, Kind } from '../../world/entity';
import type { World } from '../../world/world';

export interface Row {
  readonly id: EntityId;
  readonly name: string;
  readonly kind: Kind;
  /** 1 for roots. */
  readonly level: number;
  readonly expandable: boolean;
  readonly expanded: boolean;
  /** Place among its siblings, from 1, and how many there are. */
  readonly position: number;
  readonly siblings: number;
  /** Part of the name that the search found. */
  readonly match: { readonly start: number; readonly end: number } | undefined;
}

export interface TreeState {
  readonly expanded: ReadonlySet<EntityId>;
  readonly query: string;
}

/** Things first, then what they are made of, then what belongs to no body. */
const ORDER: Readonly<Record<Kind, number>> = {
  world: 0, model: 1, link: 2, joint: 3, visual: 4, collision: 5, sensor: 6, light: 7, frame: 8, plugin: 9, unknown: 10,
};

/** Returns the rows from top to bottom. With a query, matches and what leads to them. */
export function visibleRows(world: World, { expanded, query }: TreeState): readonly Row[] {
  const wanted = query.trim().toLowerCase();
  const leading = wanted === '' ? undefined : entitiesLeadingTo(world, wanted);
  const rows: Row[] = [];
  const visit = (parent: EntityId | undefined, level: number): void => {
    const children = sortedChildren(world, parent).filter(({ id }) => leading?.has(id) ?? true);
    children.forEach((entity, index) => {
      const expandable = world.children(entity.id).length > 0;
      const below = leading === undefined ? true : world.children(entity.id).some(({ id }) => leading.has(id));
      const open = expandable && (leading === undefined ? expanded.has(entity.id) : below);
      const { id, name, kind } = entity;
      const place = { level, position: index + 1, siblings: children.length };
      rows.push({ id, name, kind, expandable, expanded: open, ...place, match: matchIn(name, wanted) });
      if (open) {
        visit(id, level + 1);
      }
    });
  };
  visit(undefined, 1);
  return rows;
}

/** How many entities carry the query in their name. */
export function matchCount(rows: readonly Row[]): number {
  return rows.filter((row) => row.match !== undefined).length;
}

/** Opens everything above an entity, so that its row is there. */
export function expandedTo(world: World, id: EntityId, expanded: ReadonlySet<EntityId>): ReadonlySet<EntityId> {
  const above = world.lineage(id).slice(0, -1).map((entity) => entity.id);
  return above.every((parent) => expanded.has(parent)) ? expanded : new Set([...expanded, ...above]);
}

/** What a key does in the tree. */
export type TreeAction =
  | { readonly kind: 'move'; readonly to: EntityId }
  | { readonly kind: 'expand' | 'collapse' | 'focus'; readonly id: EntityId };

/** Follows the keys of a tree as screen readers know them. */
export function actionOfKey(rows: readonly Row[], current: EntityId | undefined, key: string): TreeAction | undefined {
  const at = rows.findIndex((row) => row.id === current);
  const row = rows[at];
  switch (key) {
    case 'ArrowDown':
      return moveTo(rows[Math.min(at + 1, rows.length - 1)]);
    case 'ArrowUp':
      return moveTo(rows[Math.max(at - 1, 0)]);
    case 'Home':
      return moveTo(rows[0]);
    case 'End':
      return moveTo(rows[rows.length - 1]);
    case 'ArrowRight':
      if (row === undefined || !row.expandable) {
        return undefined;
      }
      return row.expanded ? moveTo(rows[at + 1]) : { kind: 'expand', id: row.id };
    case 'ArrowLeft':
      if (row?.expanded === true) {
        return { kind: 'collapse', id: row.id };
      }
      return moveTo(rows.slice(0, Math.max(at, 0)).findLast((above) => above.level < (row?.level ?? 0)));
    case 'Enter':
      return row && { kind: 'focus', id: row.id };
    default:
      return undefined;
  }
}

function sortedChildren(world: World, parent: EntityId | undefined): readonly Entity[] {
  return world.children(parent).toSorted((a, b) => ORDER[a.kind] - ORDER[b.kind]);
}

function entitiesLeadingTo(world: World, wanted: string): ReadonlySet<EntityId> {
  const leading = new Set<EntityId>();
  for (const entity of world.entities()) {
    if (entity.name.toLowerCase().includes(wanted)) {
      for (const above of world.lineage(entity.id)) {
        leading.add(above.id);
      }
    }
  }
  return leading;
}

function matchIn(name: string, wanted: string): Row['match'] {
  const start = wanted === '' ? -1 : name.toLowerCase().indexOf(wanted);
  return start < 0 ? undefined : { start, end: start + wanted.length };
}

function moveTo(row: Row | undefined): TreeAction | undefined {
  return row && { kind: 'move', to: row.id };
}
