/** The keys of the page. The help and the menus show this list, so there is no other. */

import type { Insert } from '../panels/insert/model';

export type Action =
  | 'toggle-play' | 'step' | 'step-back' | 'record' | 'undo' | 'redo' | 'focus' | 'fit' | 'deselect' | 'delete' | 'duplicate' | 'rename'
  | `insert-${Insert}` | 'insert-file'
  | 'show-plots' | 'show-messages' | 'show-history' | 'enlarge-dock' | 'switch-theme' | 'help';

export interface Shortcut {
  /** As [`chordOf`] writes them. */
  readonly keys: readonly string[];
  /** How the key is written for people. */
  readonly shown: string;
  readonly action: Action;
  readonly text: string;
}

export const SHORTCUTS: readonly Shortcut[] = [
  { keys: [' '], shown: 'Space', action: 'toggle-play', text: 'Play or pause' },
  { keys: ['.'], shown: '.', action: 'step', text: 'One step while paused; one recorded state in a log' },
  { keys: [','], shown: ',', action: 'step-back', text: 'One recorded state back, in a log' },
  { keys: ['l', 'L'], shown: 'L', action: 'record', text: 'Record a log, and end it' },
  { keys: ['Ctrl+z'], shown: 'Ctrl+Z', action: 'undo', text: 'Undo the last edit' },
  { keys: ['Shift+Ctrl+z', 'Ctrl+y'], shown: 'Shift+Ctrl+Z', action: 'redo', text: 'Redo (Ctrl+Y as well)' },
  { keys: ['f', 'F'], shown: 'F', action: 'focus', text: 'Look at the selection' },
  { keys: ['Home'], shown: 'Home', action: 'fit', text: 'Look at the whole world' },
  { keys: ['Escape'], shown: 'Esc', action: 'deselect', text: 'Select nothing' },
  { keys: ['Delete'], shown: 'Delete', action: 'delete', text: 'Delete what is selected' },
  { keys: ['Ctrl+d'], shown: 'Ctrl+D', action: 'duplicate', text: 'Duplicate the selected model or light' },
  { keys: ['F2'], shown: 'F2', action: 'rename', text: 'Rename what is selected' },
  { keys: ['p', 'P'], shown: 'P', action: 'show-plots', text: 'Show or hide the plots' },
  { keys: ['m', 'M'], shown: 'M', action: 'enlarge-dock', text: 'Give the dock all the room, and take it back' },
  { keys: ['?'], shown: '?', action: 'help', text: 'Show or hide this help' },
];

/** Keys that a panel handles itself while it has the focus. */
export const PANEL_KEYS: readonly { readonly shown: string; readonly text: string }[] = [
  { shown: '↑ ↓', text: 'Go through the tree' },
  { shown: '→ ←', text: 'Open and close a row of the tree' },
  { shown: 'Enter', text: 'Look at the selected row; send a field' },
  { shown: 'Esc', text: 'Leave a field as it was' },
  { shown: '↑ ↓ in a field', text: 'Step its number; Shift for ten steps' },
  { shown: 'Shift+F10', text: 'Menu of the selected row' },
  { shown: '← → + − in a plot', text: 'Pan and zoom; 0 follows live again' },
  { shown: 'A B in a plot', text: 'Place a cursor under the mouse' },
  { shown: '← → in the timeline', text: 'One recorded state; Shift for the next mark' },
  { shown: 'Home End there', text: 'Beginning and end of the log' },
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
  const ownKey = target === 'control' && (press.key === ' ' || press.key === 'Home');
  if (press.alt || target === 'text' || (target === 'field' && !press.ctrl) || ownKey) {
    return undefined;
  }
  const chord = chordOf(press);
  return SHORTCUTS.find((shortcut) => shortcut.keys.includes(chord))?.action;
}

/** Says whether an action changes the world or records it, which nobody can with a recording. */
export function changesWorld(action: Action): boolean {
  const others: readonly Action[] = ['undo', 'redo', 'delete', 'duplicate', 'rename', 'record'];
  return action.startsWith('insert-') || others.includes(action);
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
  if (element.matches('select, [data-pristine], input[type=color]')) {
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
