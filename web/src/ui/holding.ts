/** Whether fields keep what is typed into them, because nobody is there to take it now. */
import { getContext, setContext } from 'svelte';

const KEY = Symbol('holding');

/** Tells all fields of a part of the page. */
export function tellHolding(holding: () => boolean): void {
  setContext(KEY, holding);
}

/** What fields are told; where nobody says anything, they are never to hold. */
export function isHolding(): () => boolean {
  return getContext<(() => boolean) | undefined>(KEY) ?? (() => false);
}

/** What a field says that holds something. */
export const HELD_TEXT = 'Not sent, for there is no connection. Enter sends it once it is back, Esc gives it up';
