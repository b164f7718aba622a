/** What the menu bar offers, out of what can be done now. */
import { INSERTS, type Insert } from '../panels/insert/model';
import type { IconName } from '../ui/icons';
import type { Menu, MenuGroups, MenuItem } from '../ui/menu';
import type { Entry } from '../world/history';
import { DOCK_TABS, type DockTab } from './dock';
import { shownKeyOf, type Action } from './shortcuts';

export interface MenuState {
  /** Why the world cannot be changed now. */
  readonly blocked: string | undefined;
  /** Why it cannot be saved now. */
  readonly unsavable: string | undefined;
  /** Why it cannot be recorded now. */
  readonly unrecordable: string | undefined;
  readonly recording: boolean;
  readonly nextUndo: Entry | undefined;
  readonly nextRedo: Entry | undefined;
  /** Name of what is selected. */
  readonly selected: string | undefined;
  readonly deletable: boolean;
  /** Whether what is selected is drawn, is hidden, or is nothing to see. */
  readonly seen: 'seen' | 'hidden' | 'nothing';
  /** How much is hidden. */
  readonly hidden: number;
  readonly copyable: boolean;
  /** Whether something was copied. */
  readonly pastable: boolean;
  readonly renamable: boolean;
  readonly darkTheme: boolean;
  /** The tab of the dock that shows; undefined when the dock is closed. */
  readonly dock: DockTab | undefined;
  readonly dockLarge: boolean;
}

export function menusOf(state: MenuState): readonly Menu<Action>[] {
  const { blocked, nextUndo, nextRedo, selected, deletable, dock } = state;
  return [
    {
      label: 'File',
      groups: [
        [item('save', 'Save world', true, state.unsavable)],
        [item('insert-library', 'Insert model from library…', true, blocked), item('insert-file', 'Insert model from file…', true, blocked)],
        [item('record', state.recording ? 'End recording' : 'Record', true, state.unrecordable), item('screenshot', 'Screenshot', true)],
      ],
    },
    {
      label: 'Edit',
      groups: [
        [
          item('undo', named('Undo', nextUndo?.description), nextUndo !== undefined, blocked),
          item('redo', named('Redo', nextRedo?.description), nextRedo !== undefined, blocked),
        ],
        [
          item('copy', named('Copy', state.copyable ? selected : undefined), state.copyable),
          item('paste', 'Paste', state.pastable, blocked),
          item('duplicate', named('Duplicate', state.copyable ? selected : undefined), state.copyable, blocked),
          item('rename', named('Rename', state.renamable ? selected : undefined), state.renamable, blocked),
          item('delete', named('Delete', deletable ? selected : undefined), deletable, blocked),
          item('deselect', 'Select nothing', selected !== undefined),
        ],
      ],
    },
    {
      label: 'View',
      groups: [
        [item('focus', 'Look at the selection', selected !== undefined), item('fit', 'Look at the whole world', true)],
        [
          item('hide', named(state.seen === 'hidden' ? 'Show' : 'Hide', state.seen === 'nothing' ? undefined : selected), state.seen !== 'nothing'),
          item('unhide', 'Show all that is hidden', state.hidden > 0),
        ],
        [
          ...DOCK_TABS.map(({ id, label }) => ({ ...item(`show-${id}`, label, true), checked: dock === id })),
          { ...item('enlarge-dock', 'Large dock', dock !== undefined), checked: state.dockLarge },
        ],
        [item('switch-theme', state.darkTheme ? 'Light theme' : 'Dark theme', true)],
      ],
    },
    { label: 'Help', groups: [[item('guide', 'Guide', true), item('help', 'Keys and mouse', true)], [item('find', 'Find…', true)]] },
  ];
}

const INSERT_ICONS: Readonly<Record<Insert, IconName>> = {
  box: 'model', sphere: 'sphere', cylinder: 'cylinder', capsule: 'capsule', cone: 'cone', ellipsoid: 'ellipsoid', point: 'light', spot: 'spot', directional: 'sun',
};

/** What the button Insert offers: shapes, then lights, then models out of files. */
export function insertMenu(blocked: string | undefined): MenuGroups<Action> {
  const isLight = (insert: Insert): boolean => insert === 'point' || insert === 'spot' || insert === 'directional';
  const label = (insert: Insert): string => `${insert.charAt(0).toUpperCase()}${insert.slice(1)}${isLight(insert) ? ' light' : ''}`;
  const items = (inserts: readonly Insert[]) => inserts.map((insert) => ({ ...item(`insert-${insert}`, label(insert), true, blocked), icon: INSERT_ICONS[insert] }));
  return [
    items(INSERTS.filter((insert) => !isLight(insert))),
    items(INSERTS.filter(isLight)),
    [
      { ...item('insert-library', 'Model from library…', true, blocked), icon: 'library' },
      { ...item('insert-file', 'Model from SDF or URDF file…', true, blocked), icon: 'open' },
    ],
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

function item(action: Action, label: string, enabled: boolean, reason?: string): MenuItem<Action> {
  return { action, label, enabled: enabled && reason === undefined, shortcut: shownKeyOf(action), reason };
}

function named(verb: string, what: string | undefined): string {
  return what === undefined || what === '' ? verb : `${verb} ${what}`;
}
