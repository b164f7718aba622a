/** The keys of the panel while it has the focus. They are about the draft, never about the world. */

export type PanelKey = 'undo' | 'redo' | 'delete' | 'copy' | 'paste' | 'all' | 'nothing';

export interface PanelPress {
  readonly key: string;
  readonly ctrl: boolean;
  readonly shift: boolean;
  readonly alt: boolean;
  /** Whether a person types, is in a field at rest, or neither. */
  readonly target: 'typing' | 'field' | 'elsewhere';
}

/** Says what a key press means here; undefined: what it means everywhere. */
export function panelKeyOf({ key, ctrl, shift, alt, target }: PanelPress): PanelKey | undefined {
  if (alt || target === 'typing') {
    return undefined;
  }
  const letter = key.toLowerCase();
  if (ctrl && (letter === 'z' || letter === 'y')) {
    return letter === 'y' || shift ? 'redo' : 'undo';
  }
  if (target === 'field') {
    return undefined;
  }
  return ctrl ? WITH_CTRL.get(letter) : PLAIN.get(key);
}

/** Tells what kind of element has the focus. */
export function pressTarget(element: EventTarget | null): PanelPress['target'] {
  if (!(element instanceof HTMLElement)) {
    return 'elsewhere';
  }
  if (element.matches('select, [data-pristine], input[type=range]')) {
    return 'field';
  }
  return element.matches('input:not([type=checkbox]), textarea, [contenteditable]') ? 'typing' : 'elsewhere';
}

const WITH_CTRL: ReadonlyMap<string, PanelKey> = new Map([['c', 'copy'], ['v', 'paste'], ['a', 'all']]);
const PLAIN: ReadonlyMap<string, PanelKey> = new Map([['Delete', 'delete'], ['Escape', 'nothing']]);
