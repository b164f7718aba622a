/** What can be found by typing: everything that the menus do, the tools, and the entities of the world. */
import type { Menu, MenuGroups } from '../ui/menu';
import type { Entity, EntityId, Kind } from '../world/entity';
import { shownKeyOf, type Action } from './shortcuts';

export type Find =
  | { readonly kind: 'action'; readonly action: Action; readonly label: string; readonly group: string; readonly enabled: boolean; readonly shortcut: string | undefined; readonly reason: string | undefined }
  | { readonly kind: 'entity'; readonly id: EntityId; readonly label: string; readonly of: Kind };

/** More is no answer; who sees too many types on. */
export const MOST_FOUND = 12;

const TOOLS = ['select', 'translate', 'rotate', 'scale', 'snap', 'align', 'measure'] as const;
const CLOCK: readonly (readonly [Action, string])[] = [['toggle-play', 'Play or pause'], ['step', 'One step'], ['step-back', 'One step back']];

/** All actions, in the order of the bars; `reasonAgainst` says why one cannot be done now. */
export function actionsOf(menus: readonly Menu<Action>[], inserts: MenuGroups<Action>, reasonAgainst: (action: Action) => string | undefined): readonly Find[] {
  const offered = [...menus, { label: 'Insert', groups: inserts }].flatMap(({ label: group, groups }) =>
    groups.flat().map(({ action, label, enabled, shortcut, reason }): Find => ({ kind: 'action', action, label, group, enabled, shortcut, reason })));
  const own = (action: Action, label: string, group: string): Find => {
    const reason = reasonAgainst(action);
    return { kind: 'action', action, label, group, enabled: reason === undefined, shortcut: shownKeyOf(action), reason };
  };
  const all = [
    ...CLOCK.map(([action, label]) => own(action, label, 'Time')),
    ...offered,
    ...TOOLS.map((tool) => own(`tool-${tool}`, `${tool.charAt(0).toUpperCase()}${tool.slice(1)}`, 'Tools')),
  ];
  // Some are in two menus; the first has them.
  const known = new Set<Action>();
  return all.filter((find) => find.kind === 'entity' || (!known.has(find.action) && known.add(find.action)));
}

/** Returns what has all words of the query, what begins with it first; entities only once something is typed. */
export function found(query: string, actions: readonly Find[], entities: Iterable<Entity>): readonly Find[] {
  const words = query.toLowerCase().split(/\s+/u).filter((word) => word !== '');
  const fits = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word));
  const hits = actions.filter((find) => fits(find.kind === 'action' ? `${find.group} ${find.label}` : find.label));
  if (words.length > 0) {
    for (const { id, name, kind } of entities) {
      if (kind !== 'unknown' && fits(name)) {
        hits.push({ kind: 'entity', id, label: name, of: kind });
      }
    }
  }
  const rank = (find: Find): number => (words[0] !== undefined && find.label.toLowerCase().startsWith(words[0]) ? 0 : 1);
  const grey = (find: Find): number => (find.kind === 'action' && !find.enabled ? 1 : 0);
  return hits.toSorted((a, b) => grey(a) - grey(b) || rank(a) - rank(b) || order(a) - order(b)).slice(0, MOST_FOUND);
}

/** Models before what they are made of. */
function order(find: Find): number {
  return find.kind === 'action' ? 0 : find.of === 'model' ? 1 : 2;
}
