/** What menus are made of, and where the keys lead in them. */

export interface MenuItem<T> {
  readonly label: string;
  readonly action: T;
  /** The key that does the same, as people write it. */
  readonly shortcut?: string | undefined;
  readonly enabled: boolean;
  /** Whether what it stands for is on; absent for what only does something. */
  readonly checked?: boolean;
}

export interface Menu<T> {
  readonly label: string;
  /** Groups have a line between them. */
  readonly groups: readonly (readonly MenuItem<T>[])[];
}

/** Says whether the mouse has moved; a menu that opens under one at rest is not pointed at. */
export function isPointing(event: Pick<PointerEvent, 'movementX' | 'movementY'>): boolean {
  return event.movementX !== 0 || event.movementY !== 0;
}

/** Returns the item that a key leads to, round and round; undefined when it leads nowhere. */
export function itemOfKey(key: string, at: number, labels: readonly string[]): number | undefined {
  const count = labels.length;
  switch (key) {
    case 'ArrowDown':
      return count === 0 ? undefined : (at + 1) % count;
    case 'ArrowUp':
      return count === 0 ? undefined : (Math.max(at, 0) + count - 1) % count;
    case 'Home':
      return count === 0 ? undefined : 0;
    case 'End':
      return count === 0 ? undefined : count - 1;
    default:
      return key.length === 1 && key !== ' ' ? itemByLetter(key, at, labels) : undefined;
  }
}

/** Returns the menu beside another, round and round. */
export function menuBeside(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
      return (at + 1) % count;
    case 'ArrowLeft':
      return (at + count - 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

function itemByLetter(letter: string, at: number, labels: readonly string[]): number | undefined {
  const fits = (label: string): boolean => label.toLowerCase().startsWith(letter.toLowerCase());
  const after = labels.findIndex((label, index) => index > at && fits(label));
  const found = after >= 0 ? after : labels.findIndex(fits);
  return found >= 0 ? found : undefined;
}
