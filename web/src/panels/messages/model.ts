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
  /** The place in a file that it is about, as `file:line:column`; empty when it is about none. */
  readonly place: string;
  /** What to do about it; may be empty. */
  readonly help: string;
}

/** What can be said of a message besides its text. */
export type About = Partial<Pick<Message, 'author' | 'toast' | 'place' | 'help'>>;

/** Everything that was said, the newest last. */
export interface MessageLog {
  readonly messages: readonly Message[];
  /** How many older ones went for lack of room. */
  readonly dropped: number;
  readonly nextId: number;
}

/** The oldest go when there are more. */
export const MOST_MESSAGES = 500;
/** How long a toast stays; errors stay until they are closed. */
export const TOAST_MS: Readonly<Record<Level, number>> = { info: 4_000, warning: 8_000, error: Number.POSITIVE_INFINITY };
export const SMALL_TOAST_MS = 2_500;
const MOST_TOASTS = 4;

export const EMPTY_LOG: MessageLog = { messages: [], dropped: 0, nextId: 1 };

/** Adds a message; the same one again only counts up. */
export function withMessage(log: MessageLog, message: Omit<Message, 'id' | 'count'>): MessageLog {
  const last = log.messages.at(-1);
  if (last !== undefined && isSame(last, message)) {
    return { ...log, messages: [...log.messages.slice(0, -1), { ...last, at: message.at, count: last.count + 1 }] };
  }
  const all = [...log.messages, { ...message, id: log.nextId, count: 1 }];
  return {
    messages: all.slice(-MOST_MESSAGES),
    dropped: log.dropped + Math.max(0, all.length - MOST_MESSAGES),
    nextId: log.nextId + 1,
  };
}

function isSame(a: Omit<Message, 'id' | 'count'>, b: Omit<Message, 'id' | 'count'>): boolean {
  return a.text === b.text && a.level === b.level && a.author === b.author && a.place === b.place;
}

/** Forgets everything; what comes later is still told from what was there. */
export function cleared({ nextId }: MessageLog): MessageLog {
  return { messages: [], dropped: 0, nextId };
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

/** What of the list shows. */
export interface Filter {
  readonly hidden: readonly Level[];
  /** Words that must all be in the message. */
  readonly text: string;
}

export const LEVELS: readonly { readonly level: Level; readonly label: string }[] = [
  { level: 'error', label: 'Errors' },
  { level: 'warning', label: 'Warnings' },
  { level: 'info', label: 'Notes' },
];

/** The messages that a filter lets through, the newest first. */
export function shownMessages(messages: readonly Message[], { hidden, text }: Filter): readonly Message[] {
  const words = text.toLowerCase().split(/\s+/u).filter((word) => word !== '');
  const fits = (message: Message): boolean => {
    const where = `${message.text} ${message.author} ${message.place} ${message.help}`.toLowerCase();
    return !hidden.includes(message.level) && words.every((word) => where.includes(word));
  };
  return messages.filter(fits).toReversed();
}

/** How many messages there are of each level. */
export function countsOf(messages: readonly Message[]): Readonly<Record<Level, number>> {
  const count = (wanted: Level): number => messages.filter(({ level }) => level === wanted).length;
  return { error: count('error'), warning: count('warning'), info: count('info') };
}

/** Writes messages for somebody else to read, the oldest first. */
export function messagesText(newestFirst: readonly Message[]): string {
  const lines = newestFirst.toReversed().map(({ at, level, text, author, place, help, count }) => {
    const time = new Date(at).toISOString();
    const parts = [place === '' ? '' : `${place}: `, text, help === '' ? '' : `. ${help}`, count > 1 ? ` (×${count})` : '', author === '' ? '' : ` [${author}]`];
    return `${time} ${level}: ${parts.join('')}`;
  });
  return lines.map((line) => `${line}\n`).join('');
}
