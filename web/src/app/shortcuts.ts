/** The keys of the page. The help and the menus show this list, so there is no other. */

import type { Insert } from '../panels/insert/model';
import type { Tool } from '../panels/scene/tools.svelte';
import type { DockTab } from './dock';

export type Action =
  | 'toggle-play' | 'step' | 'step-back' | 'record' | 'undo' | 'redo' | 'focus' | 'fit' | 'hide' | 'unhide' | 'deselect' | 'escape' | 'delete' | 'copy' | 'paste' | 'duplicate' | 'rename'
  | `tool-${Tool}` | `insert-${Insert}` | 'insert-library' | 'insert-file' | 'save' | 'screenshot'
  | `show-${DockTab}` | 'enlarge-dock' | 'switch-theme' | 'find' | 'help' | 'guide';

export interface Shortcut {
  /** As [`chordOf`] writes them. */
  readonly keys: readonly string[];
  /** How the key is written for people. */
  readonly shown: string;
  readonly action: Action;
  /** Under which heading the help has it. */
  readonly group: (typeof SHORTCUT_GROUPS)[number];
  readonly text: string;
}

/** Headings of the help, in their order. */
export const SHORTCUT_GROUPS = ['Time', 'Edit', 'Tools', 'Look', 'Panels'] as const;

export const SHORTCUTS: readonly Shortcut[] = [
  { keys: [' '], shown: 'Space', action: 'toggle-play', group: 'Time', text: 'Play or pause' },
  { keys: ['.'], shown: '.', action: 'step', group: 'Time', text: 'One step while paused; one state on in a log and in the past' },
  { keys: [','], shown: ',', action: 'step-back', group: 'Time', text: 'One state back, in a log and into the past' },
  { keys: ['Ctrl+s'], shown: 'Ctrl+S', action: 'save', group: 'Edit', text: 'Save the world into its file' },
  { keys: ['l', 'L'], shown: 'L', action: 'record', group: 'Time', text: 'Record a log, and end it' },
  { keys: ['Ctrl+z'], shown: 'Ctrl+Z', action: 'undo', group: 'Edit', text: 'Undo the last edit' },
  { keys: ['Shift+Ctrl+z', 'Ctrl+y'], shown: 'Shift+Ctrl+Z', action: 'redo', group: 'Edit', text: 'Redo (Ctrl+Y as well)' },
  { keys: ['f', 'F'], shown: 'F', action: 'focus', group: 'Look', text: 'Look at the selection' },
  { keys: ['Home'], shown: 'Home', action: 'fit', group: 'Look', text: 'Look at the whole world' },
  { keys: ['h', 'H'], shown: 'H', action: 'hide', group: 'Look', text: 'Hide what is selected in the 3D view, or show it again' },
  { keys: ['t', 'T'], shown: 'T', action: 'tool-translate', group: 'Tools', text: 'Translate what is selected' },
  { keys: ['r', 'R'], shown: 'R', action: 'tool-rotate', group: 'Tools', text: 'Rotate what is selected' },
  { keys: ['s', 'S'], shown: 'S', action: 'tool-scale', group: 'Tools', text: 'Scale what is selected' },
  { keys: ['Escape'], shown: 'Esc', action: 'escape', group: 'Tools', text: 'Call off a drag; go back to live; put the tool away; select nothing' },
  { keys: ['Delete'], shown: 'Delete', action: 'delete', group: 'Edit', text: 'Delete what is selected' },
  { keys: ['Ctrl+c'], shown: 'Ctrl+C', action: 'copy', group: 'Edit', text: 'Copy the selected models and lights' },
  { keys: ['Ctrl+v'], shown: 'Ctrl+V', action: 'paste', group: 'Edit', text: 'Paste them under the mouse, or beside' },
  { keys: ['Ctrl+d'], shown: 'Ctrl+D', action: 'duplicate', group: 'Edit', text: 'Duplicate them beside the originals' },
  { keys: ['i', 'I'], shown: 'I', action: 'insert-library', group: 'Edit', text: 'Insert a model from the library' },
  { keys: ['F2'], shown: 'F2', action: 'rename', group: 'Edit', text: 'Rename what is selected' },
  { keys: ['p', 'P'], shown: 'P', action: 'show-plots', group: 'Panels', text: 'Show or hide the plots' },
  { keys: ['n', 'N'], shown: 'N', action: 'show-motion', group: 'Panels', text: 'Show or hide the motion that is taught' },
  { keys: ['m', 'M'], shown: 'M', action: 'enlarge-dock', group: 'Panels', text: 'Give the dock all the room, and take it back' },
  { keys: ['Ctrl+k'], shown: 'Ctrl+K', action: 'find', group: 'Panels', text: 'Find something to do, or an entity' },
  { keys: ['?'], shown: '?', action: 'help', group: 'Panels', text: 'Show or hide this help' },
];

/** Keys that a panel handles itself while it has the focus. */
export const PANEL_KEYS: readonly { readonly shown: string; readonly text: string }[] = [
  { shown: '↑ ↓', text: 'Go through the tree' },
  { shown: '→ ←', text: 'Open and close a row of the tree' },
  { shown: 'Enter', text: 'Look at the selected row; send a field' },
  { shown: 'Esc', text: 'Leave a field as it was' },
  { shown: '↑ ↓ in a field', text: 'Step its number; Shift for ten steps' },
  { shown: 'Shift+F10', text: 'Menu of the selected row' },
  { shown: '0…9 . − in a drag', text: 'How far the handle goes; Enter puts it down' },
  { shown: '← → + − in a plot', text: 'Pan and zoom; 0 follows live again' },
  { shown: 'A B in a plot', text: 'Place a cursor under the mouse' },
  { shown: 'Ctrl+Z in Motion', text: 'Undo in the draft, not in the world' },
  { shown: 'Ctrl+C Ctrl+V there', text: 'Copy and paste waypoints' },
  { shown: 'Delete there', text: 'Delete the selected waypoints' },
  { shown: '← → in the timeline', text: 'A little on or back; Shift for the next mark' },
  { shown: 'Home End there', text: 'Beginning and end of the log, or of the branch' },
  { shown: '↑ ↓ there', text: 'The branch above or below; Esc goes back to live' },
];

export interface KeyPress {
  readonly key: string;
  /** Ctrl, or the command key of a Mac. */
  readonly ctrl: boolean;
  readonly shift: boolean;
  readonly alt: boolean;
  /** Where the key was pressed; in a field nothing is typed yet, or there is nothing to type. */
  readonly target: 'text' | 'field' | 'control' | 'elsewhere';
}

/** Says what a key press does; nothing while a person types or works a control with the same key. */
export function actionOf({ target, ...press }: KeyPress): Action | undefined {
  if (chordOf(press) === 'Ctrl+s' && !press.alt) {
    return 'save'; // The browser would save the page, which is never meant.
  }
  const copies = press.ctrl && (press.key === 'c' || press.key === 'v');
  const ownKey = target === 'control' ? press.key === ' ' || press.key === 'Home' : target === 'field' && copies;
  if (press.alt || target === 'text' || (target === 'field' && !press.ctrl) || ownKey) {
    return undefined;
  }
  const chord = chordOf(press);
  return SHORTCUTS.find((shortcut) => shortcut.keys.includes(chord))?.action;
}

/** What an action asks for: to look, to run the clock, to write files, or to change the world. */
export type Need = 'nothing' | 'control' | 'record' | 'save' | 'edit';

export function needOf(action: Action): Need {
  switch (action) {
    case 'toggle-play':
    case 'step':
      return 'control';
    case 'record':
    case 'save':
      return action;
    case 'undo':
    case 'redo':
    case 'delete':
    case 'paste':
    case 'duplicate':
    case 'rename':
      return 'edit';
    case 'tool-select':
    case 'tool-measure':
      return 'nothing';
    default:
      return action.startsWith('insert-') || action.startsWith('tool-') ? 'edit' : 'nothing';
  }
}

/** Reads the tool out of an action. */
export function toolOf(action: `tool-${Tool}`): Tool {
  return action.slice('tool-'.length) as Tool;
}

/** Returns how the key of an action is written for people. */
export function shownKeyOf(action: Action): string | undefined {
  return SHORTCUTS.find((shortcut) => shortcut.action === action)?.shown;
}

/** Tells what kind of element has the focus. */
export function targetOf(element: EventTarget | null): KeyPress['target'] {
  if (!(element instanceof HTMLElement)) {
    return 'elsewhere';
  }
  if (element.matches('select, [data-pristine], input:is([type=color], [type=radio], [type=range])')) {
    return 'field';
  }
  if (element.matches('input:not([type=checkbox]), textarea, [contenteditable]')) {
    return 'text';
  }
  return element.matches('button, input, summary, a, [role=tree]') ? 'control' : 'elsewhere';
}

/** Writes a press as the list above does; Shift counts only with Ctrl, for else it is in the key. */
function chordOf({ key, ctrl, shift }: Pick<KeyPress, 'key' | 'ctrl' | 'shift'>): string {
  return ctrl ? `${shift ? 'Shift+' : ''}Ctrl+${key.toLowerCase()}` : key;
}
