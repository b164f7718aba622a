/** What can be done with an entity, for the tree's menu and for the inspector. */
import { canDelete } from '../commands/deleteEntities';
import { additionsTo, additionTitle, ADDITIONS, type Addition } from '../panels/insert/model';
import type { MenuGroups, MenuItem } from '../ui/menu';
import type { Entity } from '../world/entity';
import { canHide } from '../world/hidden';
import type { IconName } from '../ui/icons';

export type EntityAction = 'focus' | 'hide' | 'rename' | 'duplicate' | 'delete' | `add-${Addition}`;

const ICONS: Readonly<Record<Addition, IconName>> = {
  link: 'link', joint: 'joint', model: 'model', collision: 'collision', visual: 'visual', sensor: 'sensor', light: 'light', text: 'plus',
};

/** What a person can do now. */
export interface Possibilities {
  /** Why the world cannot be changed now. */
  readonly blocked: string | undefined;
  readonly renamable: boolean;
  /** Whether the 3D view does not show it. */
  readonly hidden: boolean;
}

export function entityMenu(entity: Entity, { blocked, renamable, hidden }: Possibilities): MenuGroups<EntityAction> {
  return [
    additionItems(entity, blocked),
    [
      { action: 'focus', label: 'Focus', icon: 'focus', shortcut: 'F', enabled: true },
      ...(canHide(entity) ? [hide(hidden)] : []),
      { action: 'rename', label: 'Rename', icon: 'pencil', shortcut: 'F2', enabled: blocked === undefined && renamable, reason: blocked },
      ...(canCopy(entity) ? [duplicate(blocked)] : []),
    ],
    canDelete(entity) ? [{ action: 'delete', label: 'Delete', icon: 'trash', shortcut: 'Delete', enabled: blocked === undefined, reason: blocked }] : [],
  ];
}

/** What can be added to an entity; no groups for nothing. */
export function additionMenu(entity: Entity, blocked: string | undefined): MenuGroups<EntityAction> {
  const items = additionItems(entity, blocked);
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

function additionItems({ kind }: Entity, blocked: string | undefined): readonly MenuItem<EntityAction>[] {
  return additionsTo(kind).map((addition) => ({
    action: `add-${addition}` as const,
    label: `${additionTitle(addition)}…`,
    icon: ICONS[addition],
    enabled: blocked === undefined,
    reason: blocked,
  }));
}

function hide(hidden: boolean): MenuItem<EntityAction> {
  return { action: 'hide', label: hidden ? 'Show' : 'Hide', icon: hidden ? 'visual' : 'hidden', shortcut: 'H', enabled: true };
}

function duplicate(blocked: string | undefined): MenuItem<EntityAction> {
  return { action: 'duplicate', label: 'Duplicate', icon: 'duplicate', shortcut: 'Ctrl+D', enabled: blocked === undefined, reason: blocked };
}
