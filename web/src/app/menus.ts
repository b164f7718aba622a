/** What the menu bar offers, out of what can be done now. */
import { INSERTS, type Insert } from '../panels/insert/model';
import type { IconName } from '../ui/icons';
import type { Menu, MenuGroups, MenuItem } from '../ui/menu';
import type { Entry } from '../world/history';
import type { DockTab } from './dock';
import { shownKeyOf, type Action } from './shortcuts';

export interface MenuState {
  /** Whether commands can reach a server now. */
  readonly live: boolean;
  readonly nextUndo: Entry | undefined;
  readonly nextRedo: Entry | undefined;
  /** Name of what is selected. */
  readonly selected: string | undefined;
  readonly deletable: boolean;
  readonly copyable: boolean;
  readonly renamable: boolean;
  readonly darkTheme: boolean;
  /** The tab of the dock that shows; undefined when the dock is closed. */
  readonly dock: DockTab | undefined;
  readonly dockLarge: boolean;
}

export function menusOf(state: MenuState): readonly Menu<Action>[] {
  const { live, nextUndo, nextRedo, selected, deletable, dock } = state;
  return [
    {
      label: 'Edit',
      groups: [
        [
          item('undo', named('Undo', nextUndo?.description), live && nextUndo !== undefined),
          item('redo', named('Redo', nextRedo?.description), live && nextRedo !== undefined),
        ],
        [
          item('duplicate', named('Duplicate', state.copyable ? selected : undefined), state.copyable),
          item('rename', named('Rename', state.renamable ? selected : undefined), state.renamable),
          item('delete', named('Delete', deletable ? selected : undefined), deletable),
          item('deselect', 'Select nothing', selected !== undefined),
        ],
      ],
    },
    {
      label: 'View',
      groups: [
        [item('focus', 'Look at the selection', selected !== undefined), item('fit', 'Look at the whole world', true)],
        [
          { ...item('show-plots', 'Plots', true), checked: dock === 'plots' },
          { ...item('show-messages', 'Messages', true), checked: dock === 'messages' },
          { ...item('show-history', 'History', true), checked: dock === 'history' },
          { ...item('enlarge-dock', 'Large dock', dock !== undefined), checked: state.dockLarge },
        ],
        [item('switch-theme', state.darkTheme ? 'Light theme' : 'Dark theme', true)],
      ],
    },
    { label: 'Help', groups: [[item('help', 'Keys and mouse', true)]] },
  ];
}

/** What the button Insert offers: shapes, then lights, then files. */
export function insertMenu(live: boolean): MenuGroups<Action> {
  const isLight = (insert: Insert): boolean => insert === 'point' || insert === 'spot' || insert === 'directional';
  const label = (insert: Insert): string => `${insert.charAt(0).toUpperCase()}${insert.slice(1)}${isLight(insert) ? ' light' : ''}`;
  const icon = (insert: Insert): IconName => (isLight(insert) ? 'light' : 'model');
  const items = (inserts: readonly Insert[]) => inserts.map((insert) => ({ ...item(`insert-${insert}`, label(insert), live), icon: icon(insert) }));
  return [
    items(INSERTS.filter((insert) => !isLight(insert))),
    items(INSERTS.filter(isLight)),
    [{ ...item('insert-file', 'Model from SDF or URDF file…', live), icon: 'copy' }],
  ];
}

/** Says whether an action inserts a shape or a light. */
export function isInsert(action: Action): action is `insert-${Insert}` {
  return INSERTS.some((insert) => action === `insert-${insert}`);
}

/** Reads what is to be inserted out of an action. */
export function insertOfAction(action: `insert-${Insert}`): Insert {
  return action.slice('insert-'.length) as Insert;
}

function item(action: Action, label: string, enabled: boolean): MenuItem<Action> {
  return { action, label, enabled, shortcut: shownKeyOf(action) };
}

function named(verb: string, what: string | undefined): string {
  return what === undefined || what === '' ? verb : `${verb} ${what}`;
}
