/** What can be done with an entity, for the tree's menu and for the inspector. */
import { canDelete } from '../commands/deleteEntities';
import { additionsTo, additionTitle, ADDITIONS, type Addition } from '../panels/insert/model';
import type { MenuGroups, MenuItem } from '../ui/menu';
import type { Entity } from '../world/entity';
import type { IconName } from '../ui/icons';

export type EntityAction = 'focus' | 'rename' | 'duplicate' | 'delete' | `add-${Addition}`;

const ICONS: Readonly<Record<Addition, IconName>> = {
  link: 'link', joint: 'joint', model: 'model', collision: 'collision', visual: 'visual', sensor: 'sensor', light: 'light', text: 'plus',
};

/** What a person can do now. */
export interface Possibilities {
  /** Whether commands can reach a server now. */
  readonly live: boolean;
  readonly renamable: boolean;
}

export function entityMenu(entity: Entity, { live, renamable }: Possibilities): MenuGroups<EntityAction> {
  return [
    additionItems(entity, live),
    [
      { action: 'focus', label: 'Focus', icon: 'focus', shortcut: 'F', enabled: true },
      { action: 'rename', label: 'Rename', icon: 'pencil', shortcut: 'F2', enabled: live && renamable },
      ...(canCopy(entity) ? [duplicate(live)] : []),
    ],
    canDelete(entity) ? [{ action: 'delete', label: 'Delete', icon: 'trash', shortcut: 'Delete', enabled: live }] : [],
  ];
}

/** What can be added to an entity; no groups for nothing. */
export function additionMenu(entity: Entity, live: boolean): MenuGroups<EntityAction> {
  const items = additionItems(entity, live);
  return items.length === 0 ? [] : [items];
}

/** Says whether a person may copy an entity: things, not parts of them. */
export function canCopy(entity: Entity): boolean {
  return entity.kind === 'model' || entity.kind === 'light';
}

/** Reads what is to be added out of an action; undefined when it adds nothing. */
export function additionOf(action: string): Addition | undefined {
  return ADDITIONS.find((addition) => action === `add-${addition}`);
}

function additionItems({ kind }: Entity, live: boolean): readonly MenuItem<EntityAction>[] {
  return additionsTo(kind).map((addition) => ({
    action: `add-${addition}` as const,
    label: `${additionTitle(addition)}…`,
    icon: ICONS[addition],
    enabled: live,
  }));
}

function duplicate(live: boolean): MenuItem<EntityAction> {
  return { action: 'duplicate', label: 'Duplicate', icon: 'duplicate', shortcut: 'Ctrl+D', enabled: live };
}
