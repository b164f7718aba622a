import { create, fromBinary, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { HostMessageSchema, PageMessageSchema, type PageMessage } from '../protocol/generated/retake/msgs/page_pb';
import { PROTOCOL_VERSION } from '../protocol/version';
import { retryDelayMs } from './backoff';
import { Client, type Connection, type Socket } from './client';

class FakeSocket implements Socket {
  binaryType: BinaryType = 'blob';
  readyState: Socket['readyState'] = 1;
  onopen: Socket['onopen'] = null;
  onclose: Socket['onclose'] = null;
  onmessage: Socket['onmessage'] = null;
  readonly sent: PageMessage['message'][] = [];

  send(data: unknown): void {
    this.sent.push(fromBinary(PageMessageSchema, (data as Uint8Array).slice(4)).message);
  }

  close(): void {
    this.readyState = 3;
  }

  say(message: MessageInitShape<typeof HostMessageSchema>['message']): void {
    const init = message === undefined ? {} : { message };
    const body = toBinary(HostMessageSchema, create(HostMessageSchema, init));
    const data = new Uint8Array([1, 0, 0, 0, ...body]).buffer;
    this.onmessage?.({ data } as MessageEvent);
  }
}

interface Bench {
  client: Client;
  sockets: FakeSocket[];
  states: Connection['state'][];
  newest: () => FakeSocket;
}

function bench(): Bench {
  const sockets: FakeSocket[] = [];
  const client = new Client(() => {
    const socket = new FakeSocket();
    sockets.push(socket);
    return socket;
  });
  const states: Connection['state'][] = [];
  client.connectionChanged.on(({ state }) => states.push(state));
  client.start();
  const newest = (): FakeSocket => sockets[sockets.length - 1] ?? new FakeSocket();
  newest().onopen?.(new Event('open'));
  return { client, sockets, states, newest };
}

function welcome(socket: FakeSocket, protocolVersion = PROTOCOL_VERSION): void {
  socket.say({ case: 'welcome', value: { protocolVersion, world: 'test' } });
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a client', () => {
  it('says hello and is open after the welcome', () => {
    const { newest, states } = bench();
    expect(newest().sent).toMatchObject([{ case: 'hello', value: { protocolVersion: PROTOCOL_VERSION } }]);
    welcome(newest());
    expect(states).toEqual(['open']);
  });

  it('comes back after a loss, and again', () => {
    const { newest, sockets, states } = bench();
    welcome(newest());
    newest().onclose?.({} as CloseEvent);
    vi.runOnlyPendingTimers();
    newest().onclose?.({} as CloseEvent);
    vi.runOnlyPendingTimers();
    welcome(newest());
    expect(sockets).toHaveLength(3);
    expect(states).toEqual(['open', 'lost', 'lost', 'open']);
  });

  it('does not come back to a host of another version', () => {
    const { newest, sockets, states } = bench();
    welcome(newest(), 99);
    vi.runAllTimers();
    expect(states).toEqual(['incompatible']);
    expect(sockets).toHaveLength(1);
  });

  it('brings each reply to its request', async () => {
    const { client, newest } = bench();
    welcome(newest());
    const pause = client.request({ case: 'control', value: { pause: true } });
    const play = client.request({ case: 'control', value: { pause: false } });
    newest().say({ case: 'reply', value: { requestId: 2n, ok: true, message: 'plays' } });
    newest().say({ case: 'reply', value: { requestId: 1n, ok: false, message: 'no world' } });
    await expect(play).resolves.toMatchObject({ message: 'plays' });
    await expect(pause).rejects.toThrow('no world');
  });

  it('drops bytes that it cannot read, says so, and goes on', () => {
    const { client, newest, states } = bench();
    const texts: string[] = [];
    client.garbled.on((error) => texts.push(error.message));
    newest().onmessage?.({ data: new ArrayBuffer(2) } as MessageEvent);
    welcome(newest());
    expect(texts).toEqual(['a message of 2 bytes is too short']);
    expect(states).toEqual(['open']);
  });

  it('fails requests that nobody answers', async () => {
    const { client, newest } = bench();
    await expect(client.request({ case: 'control', value: {} })).rejects.toThrow('Not connected');
    welcome(newest());
    const silent = client.request({ case: 'control', value: {} });
    const lost = client.request({ case: 'control', value: {} });
    const both = [expect(silent).rejects.toThrow(), expect(lost).rejects.toThrow('connection was lost')];
    newest().onclose?.({} as CloseEvent);
    await Promise.all(both);
    vi.runOnlyPendingTimers();
    welcome(newest());
    const late = expect(client.request({ case: 'control', value: {} })).rejects.toThrow('did not answer');
    vi.advanceTimersByTime(10_000);
    await late;
  });
});

it('waits longer each time, but not for ever', () => {
  const delays = [0, 1, 2, 3, 10, 1000].map((attempt) => retryDelayMs(attempt, 1));
  expect(delays).toEqual([300, 600, 1200, 2400, 5000, 5000]);
  expect(retryDelayMs(0, 0)).toBeLessThan(300);
});
