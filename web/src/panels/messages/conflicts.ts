/** Conflicts that nobody has answered yet: a bounded list, one for each field. */
import { conflictKey, type Conflict } from '../../world/conflict';

/** More are no help; the oldest go, and stay in the list of messages. */
export const MOST_CONFLICTS = 6;

/** Adds a conflict; one about the same field takes the place of the older one. */
export function withConflict(list: readonly Conflict[], conflict: Conflict): readonly Conflict[] {
  return [...without(list, conflict), conflict].slice(-MOST_CONFLICTS);
}

/** Takes a conflict away. */
export function without(list: readonly Conflict[], conflict: Conflict): readonly Conflict[] {
  return list.filter((other) => conflictKey(other) !== conflictKey(conflict));
}

/** Says who disagreed, as this page sees it. */
export function storyOf({ won, lost }: Conflict, ownName: string): string {
  const others = [won.author, lost.author].filter((author) => author !== ownName);
  return others.length === 1 ? `You and ${others.join('')} both set` : `${others.join(' and ')} both set`;
}

/** What this page calls an author. */
export function nameFor(author: string, ownName: string): string {
  return author === ownName ? 'You' : author;
}
