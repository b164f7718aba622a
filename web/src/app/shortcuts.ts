/** The keys of the page. The help shows this list, so there is no other. */

export type Action = 'toggle-play' | 'step' | 'focus' | 'fit' | 'deselect' | 'delete' | 'help';

export interface Shortcut {
  readonly keys: readonly string[];
  /** How the key is written. */
  readonly shown: string;
  readonly action: Action;
  readonly text: string;
}

export const SHORTCUTS: readonly Shortcut[] = [
  { keys: [' '], shown: 'Space', action: 'toggle-play', text: 'Play or pause' },
  { keys: ['.'], shown: '.', action: 'step', text: 'One step while paused' },
  { keys: ['f', 'F'], shown: 'F', action: 'focus', text: 'Look at the selection' },
  { keys: ['Home'], shown: 'Home', action: 'fit', text: 'Look at the whole world' },
  { keys: ['Escape'], shown: 'Esc', action: 'deselect', text: 'Select nothing' },
  { keys: ['Delete'], shown: 'Delete', action: 'delete', text: 'Delete the selected model or light' },
  { keys: ['?'], shown: '?', action: 'help', text: 'Show or hide this help' },
];

/** Keys that a panel handles itself while it has the focus. */
export const PANEL_KEYS: readonly { readonly shown: string; readonly text: string }[] = [
  { shown: '↑ ↓', text: 'Go through the tree' },
  { shown: '→ ←', text: 'Open and close a row of the tree' },
  { shown: 'Enter', text: 'Look at the selected row' },
];

export interface KeyPress {
  readonly key: string;
  readonly modified: boolean;
  /** Where the key was pressed. */
  readonly target: 'text' | 'control' | 'elsewhere';
}

/** Says what a key press does; nothing while a person types or works a control with the same key. */
export function actionOf({ key, modified, target }: KeyPress): Action | undefined {
  const ownKey = target === 'control' && (key === ' ' || key === 'Home');
  if (modified || target === 'text' || ownKey) {
    return undefined;
  }
  return SHORTCUTS.find((shortcut) => shortcut.keys.includes(key))?.action;
}

/** Tells what kind of element has the focus. */
export function targetOf(element: EventTarget | null): KeyPress['target'] {
  if (!(element instanceof HTMLElement)) {
    return 'elsewhere';
  }
  if (element.matches('input, textarea, [contenteditable]')) {
    return 'text';
  }
  return element.matches('button, select, summary, a, [role=tree]') ? 'control' : 'elsewhere';
}
