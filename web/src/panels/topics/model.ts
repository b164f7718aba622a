/** What the panel shows of the bus: a list that can be filtered, and a bounded number of messages. */
import { errorText } from '../../lib/errorText';
import { formatFileSize, formatShort } from '../../lib/format';
import type { BusList, Heard, ServiceInfo, TopicInfo } from '../../world/topics';

export type Shown = 'topics' | 'services';

/** Topics whose name or type has every word of a text. */
export function topicsWith({ topics }: BusList, text: string): readonly TopicInfo[] {
  return topics.filter(({ name, typeName }) => hasWords(`${name} ${typeName}`, text));
}

/** Services whose name or types have every word of a text. */
export function servicesWith({ services }: BusList, text: string): readonly ServiceInfo[] {
  return services.filter(({ name, requestType, replyType }) => hasWords(`${name} ${requestType} ${replyType}`, text));
}

function hasWords(where: string, text: string): boolean {
  const words = text.toLowerCase().split(/\s+/u).filter((word) => word !== '');
  return words.every((word) => where.toLowerCase().includes(word));
}

/** All of a name but its last part; empty when it has one part alone. */
export function leadOf(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('/')));
}

/** The last part of a type's name; the tooltip has all. */
export function shortType(typeName: string): string {
  return typeName.split('.').at(-1) ?? typeName;
}

export function rateText(messagesPerSec: number | undefined): string {
  if (messagesPerSec === undefined) {
    return '–';
  }
  return messagesPerSec === 0 ? '0' : messagesPerSec >= 9.95 ? messagesPerSec.toFixed(0) : formatShort(Number(messagesPerSec.toPrecision(2)));
}

export function flowText(bytesPerSec: number | undefined): string {
  return bytesPerSec === undefined ? '–' : `${formatFileSize(bytesPerSec)}/s`;
}

/** Messages that are kept; the oldest go when there are more. */
export const MOST_MESSAGES = 100;
/** Bytes of messages that are kept. */
export const MOST_BYTES = 8 * 1024 * 1024;

/** The messages of one topic that came, the newest last. */
export interface Kept {
  readonly messages: readonly Heard[];
  /** How many older ones went for lack of room. */
  readonly dropped: number;
  /** Why none comes; empty when they do. */
  readonly problem: string;
}

export const NOTHING_KEPT: Kept = { messages: [], dropped: 0, problem: '' };

/** Adds a message, or why none comes. */
export function withHeard(kept: Kept, heard: Heard): Kept {
  if (heard.bytes === undefined && heard.size === 0) {
    return { ...kept, problem: heard.problem };
  }
  const all = [...kept.messages, heard];
  let bytes = all.reduce((sum, { bytes: one }) => sum + (one?.length ?? 0), 0);
  let from = 0;
  while (all.length - from > MOST_MESSAGES || (bytes > MOST_BYTES && from < all.length - 1)) {
    bytes -= all[from]?.bytes?.length ?? 0;
    from += 1;
  }
  return { messages: all.slice(from), dropped: kept.dropped + from, problem: '' };
}

/** Most messages that the page publishes in a second. */
export const MOST_PER_SEC = 50;

/** Reads how often to publish, or says what is wrong with it. */
export function repeatFrom(text: string): { readonly perSec: number } | { readonly problem: string } {
  const perSec = Number(text);
  const fits = text.trim() !== '' && perSec >= 0.1 && perSec <= MOST_PER_SEC;
  return fits ? { perSec } : { problem: `Write a number from 0.1 to ${MOST_PER_SEC} Hz` };
}

/** Makes an error of a JSON text fit for people. */
export function jsonProblem(error: unknown): string {
  const text = errorText(error);
  return text.replace(/^cannot decode message (\S+) from JSON:?\s*/u, 'This is no $1: ').replace(/^cannot decode /u, 'Cannot read ');
}
