/** The rows of the entity tree: what is open, what matches the search, where the keys lead. */
import type { Entity, EntityId, Kind } from '../../world/entity';
import { touchText, type PendingEntity, type PendingGui, type Touch } from '../../world/pendingActions';
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
  /** Somebody makes it, and it is not there before the world goes on. */
  readonly ghost: boolean;
  readonly mark: Mark | undefined;
  /** Whether the 3D view shows it; `inside` is part of something that it does not. */
  readonly seen: 'seen' | 'hidden' | 'inside';
}

/** Somebody does something to an entity as soon as the world goes on. */
export interface Mark {
  /** Whose colours show, without doubles. */
  readonly authors: readonly string[];
  /** One line for each action. */
  readonly text: string;
  /** It goes away. */
  readonly removed: boolean;
  /** It is about something inside, which the tree does not show now. */
  readonly inside: boolean;
}

export interface TreeState {
  readonly expanded: ReadonlySet<EntityId>;
  readonly query: string;
  readonly marks: Marks;
  readonly hidden: ReadonlySet<EntityId>;
}

/** What waits, sorted for the tree. */
export interface Marks {
  readonly byEntity: ReadonlyMap<EntityId, readonly Touch[]>;
  /** Entities that are made, by what holds them. */
  readonly ghosts: ReadonlyMap<EntityId, readonly PendingEntity[]>;
  /** What waits somewhere below an entity. */
  readonly below: ReadonlyMap<EntityId, readonly Touch[]>;
}

export const NO_MARKS: Marks = { byEntity: new Map(), ghosts: new Map(), below: new Map() };

/** Lines of a tooltip; more is no help. */
const MOST_LINES = 6;

/** Things first, then what they are made of, then what belongs to no body. */
const ORDER: Readonly<Record<Kind, number>> = {
  world: 0, model: 1, link: 2, joint: 3, visual: 4, collision: 5, sensor: 6, light: 7, frame: 8, plugin: 9, unknown: 10,
};

/** Returns the rows from top to bottom. With a query, matches and what leads to them. */
export function visibleRows(world: World, { expanded, query, marks, hidden }: TreeState): readonly Row[] {
  const wanted = query.trim().toLowerCase();
  const leading = wanted === '' ? undefined : entitiesLeadingTo(world, wanted);
  const rows: Row[] = [];
  const ghostsOf = (id: EntityId): readonly PendingEntity[] => (leading === undefined ? (marks.ghosts.get(id) ?? []) : []);
  const visit = (parent: EntityId | undefined, level: number, inside: boolean): void => {
    const children = sortedChildren(world, parent).filter(({ id }) => leading?.has(id) ?? true);
    const ghosts = parent === undefined ? [] : ghostsOf(parent);
    const siblings = children.length + ghosts.length;
    children.forEach((entity, index) => {
      const expandable = world.children(entity.id).length > 0 || ghostsOf(entity.id).length > 0;
      const below = leading === undefined ? true : world.children(entity.id).some(({ id }) => leading.has(id));
      const open = expandable && (leading === undefined ? expanded.has(entity.id) : below);
      const { id, name, kind } = entity;
      const place = { level, position: index + 1, siblings };
      const mark = markOf(marks, id, open);
      const seen = hidden.has(id) ? 'hidden' : inside ? 'inside' : 'seen';
      rows.push({ id, name, kind, expandable, expanded: open, ...place, match: matchIn(name, wanted), ghost: false, mark, seen });
      if (open) {
        visit(id, level + 1, seen !== 'seen');
      }
    });
    ghosts.forEach(({ id, name, kind }, index) => {
      const place = { level, position: children.length + index + 1, siblings };
      const mark = markOf(marks, id, true);
      rows.push({ id, name, kind, expandable: false, expanded: false, ...place, match: undefined, ghost: true, mark, seen: 'seen' });
    });
  };
  visit(undefined, 1, false);
  return rows;
}

/** Sorts what GUIs hold for the tree. What is made and here already is no ghost: this GUI made it. */
export function marksOf(world: World, guis: readonly PendingGui[], byEntity: Marks['byEntity']): Marks {
  const all = guis.flatMap(({ actions }) => actions.flatMap(({ entities }) => entities));
  const made = [...new Map(all.filter(({ change }) => change === 'made').map((entity) => [entity.id, entity])).values()];
  const ghosts = new Map<EntityId, PendingEntity[]>();
  for (const entity of made) {
    if (entity.parent !== undefined && world.entity(entity.id) === undefined) {
      ghosts.set(entity.parent, [...(ghosts.get(entity.parent) ?? []), entity]);
    }
  }
  const below = new Map<EntityId, readonly Touch[]>();
  for (const [id, touches] of byEntity) {
    const holder = made.find((entity) => entity.id === id)?.parent;
    const lineage = world.entity(id) === undefined && holder !== undefined ? world.lineage(holder) : world.lineage(id).slice(0, -1);
    for (const above of lineage) {
      below.set(above.id, [...(below.get(above.id) ?? []), ...touches]);
    }
  }
  return { byEntity, ghosts, below };
}

function markOf({ byEntity, below }: Marks, id: EntityId, open: boolean): Mark | undefined {
  const own = byEntity.get(id) ?? [];
  const inner = open ? [] : (below.get(id) ?? []);
  const touches = own.length > 0 ? own : inner;
  if (touches.length === 0) {
    return undefined;
  }
  const lines = [...new Set(touches.map(touchText))];
  const text = [...lines.slice(0, MOST_LINES), ...(lines.length > MOST_LINES ? [`and ${lines.length - MOST_LINES} more`] : [])].join('\n');
  return {
    authors: [...new Set(touches.map(({ action }) => action.author))],
    text,
    removed: own.some(({ change, action }) => change === 'removed' && action.refused === ''),
    inside: own.length === 0,
  };
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
  | { readonly kind: 'expand' | 'collapse' | 'focus' | 'rename' | 'menu'; readonly id: EntityId };

/** Follows the keys of a tree as screen readers know them. */
export function actionOfKey(rows: readonly Row[], current: EntityId | undefined, key: string): TreeAction | undefined {
  const reachable = rows.filter(({ ghost }) => !ghost);
  return actionIn(reachable, reachable.findIndex((row) => row.id === current), key);
}

function actionIn(rows: readonly Row[], at: number, key: string): TreeAction | undefined {
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
    case 'F2':
      return row && { kind: 'rename', id: row.id };
    case 'ContextMenu':
      return row && { kind: 'menu', id: row.id };
    default:
      return undefined;
  }
}

/** What a click does to the selection. */
export type ClickKeys = 'plain' | 'toggle' | 'range';

/** Reads the keys that are held in a click. */
export function keysOf({ ctrlKey, metaKey, shiftKey }: Pick<MouseEvent, 'ctrlKey' | 'metaKey' | 'shiftKey'>): ClickKeys {
  return shiftKey ? 'range' : ctrlKey || metaKey ? 'toggle' : 'plain';
}

/** Returns what is selected after a click on a row: with Shift all from the last chosen one to it. */
export function chosenBy(rows: readonly Row[], selection: readonly EntityId[], id: EntityId, keys: ClickKeys): readonly EntityId[] {
  const from = rows.findIndex((row) => row.id === selection.at(-1));
  const to = rows.findIndex((row) => row.id === id);
  if (keys === 'toggle') {
    return selection.includes(id) ? selection.filter((other) => other !== id) : [...selection, id];
  }
  if (keys === 'plain' || from < 0 || to < 0) {
    return [id];
  }
  const range = rows.slice(Math.min(from, to), Math.max(from, to) + 1).filter(({ ghost }) => !ghost).map((row) => row.id);
  return to < from ? range.toReversed() : range;
}

/** Returns a selection that goes on to a row; going back lets go of the last one. */
export function extended(selection: readonly EntityId[], to: EntityId): readonly EntityId[] {
  return selection.at(-2) === to ? selection.slice(0, -1) : [...selection.filter((id) => id !== to), to];
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
