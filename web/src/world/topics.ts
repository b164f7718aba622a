/** The bus as the host told it last: topics with their rates, services, and messages. */
import type { EncodedMessage, TopicMessage as WireMessage, TopicRates as WireRates } from '../protocol/generated/retake/msgs/topics_pb';

export interface BusList {
  readonly topics: readonly TopicInfo[];
  readonly services: readonly ServiceInfo[];
  /** How many more there are of both. */
  readonly leftOut: number;
  /** Why there is no list; empty when there is one. */
  readonly problem: string;
}

export interface TopicInfo {
  readonly name: string;
  readonly typeName: string;
  readonly publishers: number;
  /** Undefined until there was time to measure. */
  readonly messagesPerSec: number | undefined;
  readonly bytesPerSec: number | undefined;
}

export interface ServiceInfo {
  readonly name: string;
  readonly requestType: string;
  readonly replyType: string;
}

/** A message that came, or why none does. */
export interface Heard {
  readonly topic: string;
  readonly typeName: string;
  /** Undefined when it was too long to be sent. */
  readonly bytes: Uint8Array | undefined;
  /** Which message of the topic it is since the page began to look. */
  readonly count: number;
  /** In bytes. */
  readonly size: number;
  readonly problem: string;
}

export interface Encoded {
  readonly typeName: string;
  readonly bytes: Uint8Array;
}

export function busListOf({ topic, topicsLeftOut, service, servicesLeftOut, problem }: WireRates): BusList {
  const topics = topic.map(({ name, typeName, publishers, messagesPerSec, bytesPerSec }) => ({ name, typeName, publishers, messagesPerSec, bytesPerSec }));
  return { topics, services: service, leftOut: topicsLeftOut + servicesLeftOut, problem };
}

export function heardOf({ topic, message, count, size, problem }: WireMessage): Heard {
  return { topic, typeName: message?.typeName ?? '', bytes: message?.bytes, count: Number(count), size: Number(size), problem };
}

export function encodedOf({ typeName, bytes }: EncodedMessage): Encoded {
  return { typeName, bytes };
}
