/** The bus through the host: looked at only while a panel shows it. */
import type { Client } from '../client/client';
import { callService, describeType, publishMessage } from '../commands/topics';
import { Drafts } from '../panels/topics/drafts.svelte';
import type { TopicsHost } from '../panels/topics/host';
import { NOTHING_KEPT, withHeard, type Kept } from '../panels/topics/model';
import type { TopicMessage, TopicRates } from '../protocol/generated/retake/msgs/topics_pb';
import type { MessageSchema } from '../world/schema';
import { busListOf, heardOf, type BusList, type Encoded } from '../world/topics';

export class BusView implements TopicsHost {
  list: BusList | undefined = $state.raw();
  kept: Kept = $state.raw(NOTHING_KEPT);
  /** What was written to publish; it stays for the whole visit. */
  readonly drafts = new Drafts();

  /** How many look. */
  private followers = 0;
  private topic: string | undefined;
  private paused = false;
  /** Types do not change while a server runs. */
  private schemas: Partial<Record<string, Promise<MessageSchema>>> = {};

  constructor(private readonly client: Pick<Client, 'request' | 'send'>) {}

  /** Begins anew with a connection: the host knows nothing of this page. */
  begin(): void {
    this.schemas = {};
    if (this.followers > 0) {
      this.tell();
    }
  }

  follow(): () => void {
    this.followers += 1;
    this.tell();
    return () => {
      this.followers -= 1;
      this.tell();
    };
  }

  listen(topic: string | undefined): void {
    if (topic !== this.topic) {
      this.topic = topic;
      this.kept = NOTHING_KEPT;
      this.paused = false;
      this.tell();
    }
  }

  pause(paused: boolean): void {
    this.paused = paused;
    this.tell();
  }

  useRates(rates: TopicRates): void {
    this.list = busListOf(rates);
  }

  useMessage(message: TopicMessage): void {
    // What was under way when the person chose another topic, or paused, is not wanted.
    if (message.topic === this.topic && !this.paused) {
      this.kept = withHeard(this.kept, heardOf(message));
    }
  }

  schema(typeName: string): Promise<MessageSchema> {
    const known = this.schemas[typeName];
    if (known !== undefined) {
      return known;
    }
    const asked = describeType(this.client, typeName);
    this.schemas[typeName] = asked;
    asked.catch(() => {
      // Whoever has it may come yet.
      this.schemas = Object.fromEntries(Object.entries(this.schemas).filter(([name]) => name !== typeName));
    });
    return asked;
  }

  publish(topic: string, message: Encoded): Promise<string> {
    return publishMessage(this.client, topic, message);
  }

  call(service: string, request: Encoded): Promise<Encoded> {
    return callService(this.client, service, request);
  }

  private tell(): void {
    const rates = this.followers > 0;
    const topic = rates && !this.paused ? (this.topic ?? '') : '';
    this.client.send({ message: { case: 'watchTopics', value: { rates, topic } } });
  }
}
