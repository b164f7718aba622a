/** What the panel needs of the page: the bus, and ways to ask and speak on it. */
import type { MessageSchema } from '../../world/schema';
import type { BusList, Encoded } from '../../world/topics';
import type { Kept } from './model';

/** Requests fail with a text for people. */
export interface TopicsHost {
  /** Undefined until the host told it. */
  readonly list: BusList | undefined;
  /** The messages that came of the topic that is looked at. */
  readonly kept: Kept;
  /** Keeps the list up to date until the returned function is called. */
  follow(): () => void;
  /** Hears the messages of a topic, and forgets those of another. */
  listen(topic: string | undefined): void;
  /** Hears no more for now, and keeps what came. */
  pause(paused: boolean): void;
  schema(typeName: string): Promise<MessageSchema>;
  /** Returns what came of it. */
  publish(topic: string, message: Encoded): Promise<string>;
  call(service: string, request: Encoded): Promise<Encoded>;
}
