import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';

import type { PageMessageSchema, Reply } from '../protocol/generated/retake/msgs/page_pb';
import { TopicMessageSchema } from '../protocol/generated/retake/msgs/topics_pb';
import { BusView } from './topics.svelte';

class Wire {
  readonly told: string[] = [];

  send({ message }: MessageInitShape<typeof PageMessageSchema>): void {
    this.told.push(message?.case === 'watchTopics' ? `${message.value.rates === true ? 'rates' : 'nothing'} ${message.value.topic ?? ''}`.trim() : '?');
  }

  request(): Promise<Reply> {
    return Promise.reject(new Error('not there'));
  }
}

const message = (topic: string, count: number) => create(TopicMessageSchema, { topic, message: { typeName: 'T', bytes: new Uint8Array(3) }, count: BigInt(count), size: 3n });

it('tells the host what is looked at, again after a new connection, and nothing when nobody looks', () => {
  const wire = new Wire();
  const view = new BusView(wire);
  view.begin();
  expect(wire.told).toEqual([]);
  const leave = view.follow();
  view.listen('/clock');
  view.begin();
  leave();
  view.begin();
  expect(wire.told).toEqual(['rates', 'rates /clock', 'rates /clock', 'nothing']);
});

it('keeps the messages of the topic that is looked at, and none while paused', () => {
  const wire = new Wire();
  const view = new BusView(wire);
  view.follow();
  view.listen('/a');
  view.useMessage(message('/a', 1));
  view.useMessage(message('/b', 1));
  view.pause(true);
  view.useMessage(message('/a', 2));
  expect([view.kept.messages.length, wire.told.at(-1)]).toEqual([1, 'rates']);
  view.pause(false);
  view.useMessage(message('/a', 3));
  expect([view.kept.messages.map(({ count }) => count), wire.told.at(-1)]).toEqual([[1, 3], 'rates /a']);
  view.listen('/b');
  expect(view.kept.messages).toEqual([]);
});

it('asks for a schema again when nobody had it', async () => {
  const view = new BusView(new Wire());
  const first = view.schema('T');
  await expect(first).rejects.toThrow('not there');
  expect(view.schema('T')).not.toBe(first);
});
