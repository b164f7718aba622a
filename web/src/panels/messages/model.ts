/** What the person is told: a bounded list, of which the newest show for a moment. */

export type Level = 'info' | 'warning' | 'error';

export interface Message {
  readonly id: number;
  readonly level: Level;
  readonly text: string;
  readonly author: string;
  /** Wall clock of the page, in milliseconds. */
  readonly at: number;
  /** How often the same was said in a row. */
  readonly count: number;
  /** What the person did and sees anyway has a small toast that is soon gone, or none at all. */
  readonly toast: 'full' | 'small' | 'none';
}

/** What can be said of a message besides its text. */
export type About = Partial<Pick<Message, 'author' | 'toast'>>;

/** The oldest go when there are more. */
export const MOST_MESSAGES = 500;
/** How long a toast stays; errors stay until they are closed. */
export const TOAST_MS: Readonly<Record<Level, number>> = { info: 4_000, warning: 8_000, error: Number.POSITIVE_INFINITY };
export const SMALL_TOAST_MS = 2_500;
const MOST_TOASTS = 4;

/** Adds a message; the same one again only counts up. */
export function withMessage(list: readonly Message[], message: Omit<Message, 'id' | 'count'>): readonly Message[] {
  const last = list.at(-1);
  if (last?.text === message.text && last.level === message.level && last.author === message.author) {
    return [...list.slice(0, -1), { ...last, at: message.at, count: last.count + 1 }];
  }
  const next = { ...message, id: (last?.id ?? 0) + 1, count: 1 };
  return [...list, next].slice(-MOST_MESSAGES);
}

/** The messages that show as toasts now, newest last. */
export function toastsOf(list: readonly Message[], closed: ReadonlySet<number>, now: number): readonly Message[] {
  return list
    .filter(({ id, at, toast, level }) => {
      const shownMs = toast === 'small' ? SMALL_TOAST_MS : TOAST_MS[level];
      return toast !== 'none' && !closed.has(id) && now - at < shownMs;
    })
    .slice(-MOST_TOASTS);
}
