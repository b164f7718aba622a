/**
 * A made-up host behind the page, for what no healthy server does: full disks, damaged logs,
 * refusals. The page itself still comes from a real one.
 */
import { create, fromBinary, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import type { Browser, WebSocketRoute } from 'playwright-core';

import type { PlaybackControl } from '../../src/protocol/generated/retake/msgs/log_pb';
import { HostMessageSchema, PageMessageSchema, type ReplySchema, type Request } from '../../src/protocol/generated/retake/msgs/page_pb';
import { PROTOCOL_VERSION } from '../../src/protocol/version';
import { stateOf } from '../../src/world/testing';
import { Workbench } from './browser';

export type Said = NonNullable<MessageInitShape<typeof HostMessageSchema>['message']>;
export type Body = Request['request'];

/** A world with a ball in it. */
const BALL = {
  1: { kind: 'world', name: 'fake' },
  2: { kind: 'model', name: 'ball', parent: 1, pose: { position: [0, 0, 0.5], rotation: [0, 0, 0, 1] } },
  3: { kind: 'link', name: 'link', parent: 2 },
  4: { kind: 'visual', name: 'visual', parent: 3, geometry: { sphere: { radius: 0.5 } } },
};

export class FakeHost {
  /** What the page asked for. */
  readonly requests: Body[] = [];
  /** Why a request is refused; undefined when it is done. */
  refusal: (request: Body) => string | undefined = () => undefined;
  /** What comes with a reply besides. */
  answer: (request: Body) => MessageInitShape<typeof ReplySchema> = () => ({});

  private constructor(private readonly socket: WebSocketRoute) {}

  /**
   * Opens the page of `url` with a made-up host behind it, which says `first` after the greeting.
   */
  static async open(browser: Browser, url: string, first: readonly Said[], theme: 'dark' | 'light' = 'dark'): Promise<readonly [Workbench, FakeHost]> {
    let host: FakeHost | undefined;
    const workbench = await Workbench.open(browser, url, theme, (page) => page.routeWebSocket(/\/ws$/u, (socket) => {
      const made = new FakeHost(socket);
      host = made;
      socket.onMessage((message) => {
        made.receive(message, first);
      });
      made.say({ case: 'welcome', value: { protocolVersion: PROTOCOL_VERSION, world: 'fake', clientId: 1n, worldFile: 'fake.sdf' } });
    }));
    if (host === undefined) {
      throw new Error('the page opened no connection');
    }
    return [workbench, host];
  }

  say(message: Said): void {
    const body = toBinary(HostMessageSchema, create(HostMessageSchema, { message }));
    this.socket.send(Buffer.concat([Buffer.from([1, 0, 0, 0]), body]));
  }

  /** The playback requests so far. */
  controls(): readonly PlaybackControl[] {
    return this.requests.flatMap((request) => (request.case === 'playback' ? [request.value] : []));
  }

  private receive(message: string | Buffer, first: readonly Said[]): void {
    const { message: said } = fromBinary(PageMessageSchema, Buffer.from(message).subarray(4));
    if (said.case === 'hello') {
      this.say({ case: 'serverLink', value: { connected: true } });
      this.say({ case: 'state', value: stateOf(BALL) });
      this.say({ case: 'stats', value: { paused: true, targetRealTimeFactor: 1 } });
      first.forEach((one) => {
        this.say(one);
      });
    } else if (said.case === 'request') {
      const { requestId, request } = said.value;
      // Each page asks for the findings by itself; journeys count what a person asked for.
      if (request.case !== 'findings') {
        this.requests.push(request);
      }
      const reason = this.refusal(request);
      this.say({ case: 'reply', value: { ...this.answer(request), requestId, ok: reason === undefined, message: reason ?? '' } });
    }
  }
}
