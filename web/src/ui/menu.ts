/** What menus are made of, and where the keys lead in them. */
import type { IconName } from './icons';

export interface MenuItem<T> {
  readonly label: string;
  readonly action: T;
  /** The key that does the same, as people write it. */
  readonly shortcut?: string | undefined;
  readonly enabled: boolean;
  /** Why it cannot be chosen now. */
  readonly reason?: string | undefined;
  /** A picture before the label. */
  readonly icon?: IconName;
  /** Whether what it stands for is on; absent for what only does something. */
  readonly checked?: boolean;
}

/** Groups have a line between them. */
export type MenuGroups<T = string> = readonly (readonly MenuItem<T>[])[];

export interface Menu<T> {
  readonly label: string;
  readonly groups: MenuGroups<T>;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Returns where the upper left corner of a menu goes so that all of it is seen. */
export function placeMenu(
  at: { readonly x: number; readonly y: number }, menu: Size, window: Size, side: 'left' | 'right',
): { readonly x: number; readonly y: number } {
  const margin = 6;
  const x = side === 'right' ? at.x : at.x - menu.width;
  return {
    x: Math.max(margin, Math.min(x, window.width - menu.width - margin)),
    y: Math.max(margin, Math.min(at.y, window.height - menu.height - margin)),
  };
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
