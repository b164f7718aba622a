/**
 * What a person has changed and the mirror does not show yet, field by field.
 *
 * A field shows what was asked for at once. While an answer is outstanding, only the last wish
 * waits behind it: a drag makes many, and nobody wants to see those in between late.
 */
import { sameValue, type FieldValue } from '../../world/fieldValue';

/** What is to be sent. */
export interface Wish {
  readonly value: FieldValue;
  readonly gesture: string;
  /** Which of several numbers it changes, by name; none: all of the field. */
  readonly parts: readonly string[];
}

export type FieldEdit =
  | {
      readonly state: 'waiting';
      readonly sent: Wish;
      /** What the mirror may still say although it is of the past. */
      readonly past: readonly FieldValue[];
      readonly next: Wish | undefined;
    }
  /** The server agreed; the mirror follows in a moment. */
  | { readonly state: 'agreed'; readonly value: FieldValue; readonly past: readonly FieldValue[] }
  /** The server did not; stands until the next edit. */
  | { readonly state: 'refused'; readonly reason: string; readonly parts: readonly string[] };

/** What the field becomes, and what is sent now. */
export interface Step {
  readonly edit: FieldEdit | undefined;
  readonly send: Wish | undefined;
}

/** The mirror is never more than a few edits late. */
const MOST_PAST = 16;

/** Takes a wish. `mirror` is what the world says of the field. */
export function wished(edit: FieldEdit | undefined, wish: Wish, mirror: FieldValue): Step {
  if (edit?.state === 'waiting') {
    // Its value has in it what the wish changed that it takes the place of.
    return { edit: { ...edit, next: edit.next === undefined ? wish : after(edit.next, wish) }, send: undefined };
  }
  if (sameValue(wish.value, shownValue(edit, mirror))) {
    return { edit: edit?.state === 'refused' ? undefined : edit, send: undefined };
  }
  const past = [...(edit?.state === 'agreed' ? edit.past : []), mirror].slice(-MOST_PAST);
  return { edit: { state: 'waiting', sent: wish, past, next: undefined }, send: wish };
}

/** The server agreed to what was sent. */
export function agreed(edit: FieldEdit | undefined): Step {
  if (edit?.state !== 'waiting') {
    return { edit, send: undefined };
  }
  const { sent, next, past } = edit;
  if (next === undefined || sameValue(next.value, sent.value)) {
    return { edit: { state: 'agreed', value: sent.value, past }, send: undefined };
  }
  return { edit: { state: 'waiting', sent: next, past: [...past, sent.value].slice(-MOST_PAST), next: undefined }, send: next };
}

/** The server refused what was sent; a wish behind it has its own chance. */
export function refused(edit: FieldEdit | undefined, reason: string): Step {
  const next = edit?.state === 'waiting' ? edit.next : undefined;
  if (edit?.state === 'waiting' && next !== undefined && !sameValue(next.value, edit.sent.value)) {
    // It has what was refused in it, unless it changes that as well.
    const sent = after(edit.sent, next);
    return { edit: { ...edit, sent, next: undefined }, send: sent };
  }
  return { edit: { state: 'refused', reason, parts: edit?.state === 'waiting' ? edit.sent.parts : [] }, send: undefined };
}

/** A wish that was made on top of another. */
function after(earlier: Wish, later: Wish): Wish {
  return { ...later, parts: [...new Set([...earlier.parts, ...later.parts])] };
}

/** What the field shows. */
export function shownValue(edit: FieldEdit | undefined, mirror: FieldValue): FieldValue {
  switch (edit?.state) {
    case 'waiting':
      return (edit.next ?? edit.sent).value;
    case 'agreed':
      return hasFollowed(edit, mirror) ? mirror : edit.value;
    case 'refused':
    case undefined:
      return mirror;
  }
}

/** Says whether the mirror shows what the server agreed to, or something newer. */
export function hasFollowed(edit: FieldEdit | undefined, mirror: FieldValue): boolean {
  return edit?.state === 'agreed' && !edit.past.some((old) => sameValue(old, mirror));
}

/** Fields of which something is remembered; the oldest go first. */
const MOST_FIELDS = 200;

/** Nothing is remembered of any field. */
export function noEntries<T>(): ReadonlyMap<string, T> {
  return new Map();
}

/** Puts or takes away what is remembered of a field. */
export function withEntry<T>(entries: ReadonlyMap<string, T>, key: string, entry: T | undefined): ReadonlyMap<string, T> {
  const others = [...entries].filter(([other]) => other !== key);
  return new Map(entry === undefined ? others : [...others, [key, entry] as const].slice(-MOST_FIELDS));
}

/** Names a field of an entity. */
export function editKey(entity: number, component: string, path: string): string {
  return `${entity} ${component} ${path}`;
}
