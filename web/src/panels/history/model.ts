/** The history as one timeline: what may come again, now, and what can be taken back. */
import { formatBytes, formatCount } from '../../lib/format';
import type { Direction, Entry, History, StuckPolicy } from '../../world/history';
import type { PendingAction, PendingGui } from '../../world/pendingActions';

export type Row =
  | { readonly kind: 'now' }
  | { readonly kind: 'dropped'; readonly count: number }
  /** What another GUI holds until the world goes on, or what the server refused. */
  | {
      readonly kind: 'waiting';
      readonly action: PendingAction;
      /** This page's GUI holds it. */
      readonly own: boolean;
    }
  | { readonly kind: 'more'; readonly gui: string; readonly count: number }
  | {
      readonly kind: 'entry';
      readonly direction: Direction;
      readonly entry: Entry;
      /** How many commands a jump there undoes or redoes. */
      readonly count: number;
    };

/**
 * Returns the rows from top to bottom: what others are about to do, the farthest future, and so on
 * to the oldest past.
 */
export function timelineOf({ undo, redo, dropped }: History, guis: readonly PendingGui[] = [], ownGui?: number): readonly Row[] {
  // What is in the list of this page is its own, or was taken over already.
  const known = new Set(undo.map(({ id }) => id));
  const waiting = guis.flatMap(({ id: gui, name, actions, more }): readonly Row[] => {
    const others = actions.filter(({ id, refused }) => !known.has(id) || refused !== '');
    const rows = others.map((action): Row => ({ kind: 'waiting', action, own: gui === ownGui }));
    return more > 0 ? [...rows, { kind: 'more', gui: name, count: more }] : rows;
  });
  const future = redo.map((entry, index): Row => ({ kind: 'entry', direction: 'redo', entry, count: index + 1 }));
  const past = undo.map((entry, index): Row => ({ kind: 'entry', direction: 'undo', entry, count: index + 1 }));
  const lost: readonly Row[] = dropped > 0 ? [{ kind: 'dropped', count: dropped }] : [];
  return [...waiting, ...future.reverse(), { kind: 'now' }, ...past, ...lost];
}

/** Says whether a jump to `target` takes this row along. */
export function isTakenAlong(row: Row, target: Row | undefined): boolean {
  return (
    row.kind === 'entry' && target?.kind === 'entry' && row.direction === target.direction && row.count <= target.count
  );
}

/** Tells rows apart. */
export function rowKey(row: Row): string {
  switch (row.kind) {
    case 'entry':
      return row.entry.id;
    case 'waiting':
      return `waiting ${row.action.id}`;
    case 'more':
      return `more ${row.gui}`;
    case 'now':
    case 'dropped':
      return row.kind;
  }
}

/** Says what a click on a row does. */
export function promiseOf({ direction, entry, count }: Extract<Row, { kind: 'entry' }>): string {
  const more = count === 1 ? '' : ` and the ${count === 2 ? 'command' : `${count - 1} commands`} ${direction === 'undo' ? 'after' : 'before'} it`;
  return `${direction === 'undo' ? 'Undo' : 'Redo'} “${entry.description}”${more}`;
}

/** Says in words how full the history is. */
export function usageOf({ undo, redo, maxSteps, bytes, maxBytes }: History): { readonly steps: string; readonly bytes: string } {
  return {
    steps: `${formatCount(undo.length + redo.length)} of ${formatCount(maxSteps)}`,
    bytes: `${formatBytes(bytes)} of ${formatBytes(maxBytes)}`,
  };
}

/** The choices for systems that cannot follow the world to another time. */
export const STUCK_CHOICES: readonly { readonly policy: StuckPolicy; readonly label: string }[] = [
  { policy: 'refuse', label: 'Do not jump' },
  { policy: 'restart', label: 'Begin anew' },
  { policy: 'go-on', label: 'Go on' },
];

export const MIB = 2 ** 20;

export interface LimitField {
  readonly label: string;
  readonly unit: string;
  readonly least: number;
  readonly most: number;
}

export const STEPS_FIELD: LimitField = { label: 'Most commands', unit: '', least: 1, most: 10_000 };
export const MEMORY_FIELD: LimitField = { label: 'Most memory', unit: 'MiB', least: 1, most: 1_048_576 };

/** Reads what a person typed into a field, or says what is wrong with it. */
export function limitFrom(text: string, field: LimitField): { readonly value: number } | { readonly problem: string } {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < field.least || value > field.most) {
    const unit = field.unit === '' ? '' : ` ${field.unit}`;
    const range = `${formatCount(field.least)} to ${formatCount(field.most)}${unit}`;
    return { problem: `${field.label} takes a whole number, ${range}` };
  }
  return { value };
}
