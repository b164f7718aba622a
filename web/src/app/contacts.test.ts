import { create, toBinary } from '@bufbuild/protobuf';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import type { Connection, RequestBody } from '../client/client';
import { Emitter } from '../lib/emitter';
import { ReplySchema, WelcomeSchema, type Reply } from '../protocol/generated/retake/msgs/page_pb';
import { WorldContactsSchema } from '../protocol/generated/retake/msgs/world_contacts_pb';
import { ContactWatch } from './contacts.svelte';

/** A host whose world touches itself once more each time it is asked. */
class Host {
  readonly asked: string[] = [];
  refusal: string | undefined;
  connection: Connection = { state: 'open', welcome: create(WelcomeSchema, { world: 'a/b' }) };

  request(body: RequestBody): Promise<Reply> {
    this.asked.push(body.case === 'call' ? (body.value.service ?? '') : '?');
    if (this.refusal !== undefined) {
      return Promise.reject(new Error(this.refusal));
    }
    const contacts = create(WorldContactsSchema, { contact: this.asked.map(() => ({ first: 1n, second: 2n, force: { z: 3 } })) });
    const called = { typeName: 'retake.msgs.WorldContacts', bytes: toBinary(WorldContactsSchema, contacts) };
    return Promise.resolve(create(ReplySchema, { ok: true, called }));
  }
}

const setup = () => {
  const [host, moved, said] = [new Host(), new Emitter<undefined>(), [] as string[]];
  const watch = new ContactWatch(host, { moved }, (text) => said.push(text));
  const count = (): number | undefined => watch.contacts?.points.length;
  return { host, moved, said, watch, count };
};

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('asks while somebody looks, and again only when the world moved, not too often', async () => {
  const { host, moved, watch, count } = setup();
  moved.emit(undefined);
  expect(host.asked).toEqual([]);
  watch.show(true);
  await vi.advanceTimersByTimeAsync(0);
  expect([host.asked, count()]).toEqual([['/world/a%2Fb/contacts/get'], 1]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(host.asked.length).toBe(1);
  for (let n = 0; n < 10; n += 1) {
    moved.emit(undefined);
    await vi.advanceTimersByTimeAsync(25);
  }
  expect([host.asked.length, count()]).toEqual([4, 4]);
  watch.show(false);
  expect(count()).toBeUndefined();
  moved.emit(undefined);
  await vi.advanceTimersByTimeAsync(1000);
  expect(host.asked.length).toBe(4);
});

it('says once why nothing is known, and asks anew with the next connection', async () => {
  const { host, moved, said, watch, count } = setup();
  host.refusal = 'no such service';
  watch.show(true);
  await vi.advanceTimersByTimeAsync(200);
  moved.emit(undefined);
  await vi.advanceTimersByTimeAsync(200);
  expect([host.asked.length, said]).toEqual([1, ['Nothing is known of contacts: no such service']]);
  host.refusal = undefined;
  watch.begin();
  await vi.advanceTimersByTimeAsync(0);
  expect(count()).toBe(2);
});
