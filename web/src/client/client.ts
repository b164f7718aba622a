/**
 * The connection to the GUI host: opens it, keeps it, says what comes in.
 *
 * What messages mean is not known here; see `app/session.svelte.ts`.
 */
import type { MessageInitShape } from '@bufbuild/protobuf';

import { Emitter } from '../lib/emitter';
import { decodeHostFrame, encodePageMessage, FrameError, type HostFrame, type PoseFrame } from '../protocol/frames';
import type { HostMessage, PageMessageSchema, Reply, RequestSchema, Welcome } from '../protocol/generated/retake/msgs/page_pb';
import { PROTOCOL_VERSION } from '../protocol/version';
import { retryDelayMs } from './backoff';
import { PendingRequests, RequestError } from './pending';

/** Where the connection stands. */
export type Connection =
  | { readonly state: 'connecting' }
  | { readonly state: 'open'; readonly welcome: Welcome }
  | { readonly state: 'lost'; readonly attempt: number; readonly retryAt: number }
  | { readonly state: 'incompatible'; readonly hostVersion: number };

/** What a client needs of a WebSocket; tests bring their own. */
export type Socket = Pick<WebSocket, 'send' | 'close' | 'binaryType' | 'readyState'> & {
  onopen: ((event: Event) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
  onmessage: ((event: MessageEvent) => void) | null;
};

/** The request of one `Request` message, as the generated types spell it. */
export type RequestBody = NonNullable<MessageInitShape<typeof RequestSchema>['request']>;

const SOCKET_OPEN = 1;

export class Client {
  readonly connectionChanged = new Emitter<Connection>();
  readonly messageReceived = new Emitter<HostMessage['message']>();
  readonly posesReceived = new Emitter<PoseFrame>();
  /** A request goes out, with what will come of it. */
  readonly requested = new Emitter<{ readonly body: RequestBody; readonly reply: Promise<Reply> }>();
  /** The host sent bytes that do not follow the protocol; they were dropped. */
  readonly garbled = new Emitter<FrameError>();

  private socket: Socket | undefined;
  private current: Connection = { state: 'connecting' };
  private attempt = 0;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private readonly pending = new PendingRequests();

  constructor(private readonly open: () => Socket) {}

  get connection(): Connection {
    return this.current;
  }

  /** Connects, now and after every loss, until [`stop`]. */
  start(): void {
    clearTimeout(this.retryTimer);
    this.detach();
    const socket = this.open();
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      const hello = { protocolVersion: PROTOCOL_VERSION, clientName: 'page' };
      socket.send(encodePageMessage({ message: { case: 'hello', value: hello } }));
    };
    socket.onmessage = (event: MessageEvent<unknown>) => {
      this.receive(event.data);
    };
    socket.onclose = () => {
      this.lose();
    };
    this.socket = socket;
  }

  /** Closes the connection for good. */
  stop(): void {
    clearTimeout(this.retryTimer);
    this.detach();
    this.pending.failAll('The page is closing');
  }

  /** Asks the host for something; the promise fails with a [`RequestError`] that can be shown. */
  request(body: RequestBody, patienceMs?: number): Promise<Reply> {
    if (this.current.state !== 'open') {
      return Promise.reject(new RequestError('Not connected. Try again once the connection is back'));
    }
    const reply = this.pending.start((requestId) => {
      this.send({ message: { case: 'request', value: { requestId, request: body } } });
    }, patienceMs);
    this.requested.emit({ body, reply });
    return reply;
  }

  /** Sends a message that has no reply; dropped when there is no connection. */
  send(message: MessageInitShape<typeof PageMessageSchema>): void {
    if (this.socket?.readyState === SOCKET_OPEN) {
      this.socket.send(encodePageMessage(message));
    }
  }

  private receive(data: unknown): void {
    if (!(data instanceof ArrayBuffer)) {
      return; // The protocol has no text messages; a newer host may add some.
    }
    const frame = this.decode(data);
    if (frame === undefined) {
      return;
    }
    if (frame.kind === 'poses') {
      this.posesReceived.emit(frame.frame);
    } else if (frame.message.case === 'reply') {
      this.pending.settle(frame.message.value);
    } else {
      this.greet(frame.message);
      this.messageReceived.emit(frame.message);
    }
  }

  private decode(data: ArrayBuffer): HostFrame | undefined {
    try {
      return decodeHostFrame(data);
    } catch (error) {
      if (!(error instanceof FrameError)) {
        throw error;
      }
      this.garbled.emit(error);
      return undefined;
    }
  }

  private greet(message: HostMessage['message']): void {
    if (message.case !== 'welcome') {
      return;
    }
    this.attempt = 0;
    if (message.value.protocolVersion === PROTOCOL_VERSION) {
      this.become({ state: 'open', welcome: message.value });
    } else {
      this.detach();
      this.become({ state: 'incompatible', hostVersion: message.value.protocolVersion });
    }
  }

  private lose(): void {
    this.detach();
    this.pending.failAll('The connection was lost');
    const delay = retryDelayMs(this.attempt, Math.random());
    this.attempt += 1;
    this.retryTimer = setTimeout(() => {
      this.start();
    }, delay);
    this.become({ state: 'lost', attempt: this.attempt, retryAt: Date.now() + delay });
  }

  private detach(): void {
    if (this.socket !== undefined) {
      this.socket.onopen = null;
      this.socket.onclose = null;
      this.socket.onmessage = null;
      this.socket.close();
      this.socket = undefined;
    }
  }

  private become(connection: Connection): void {
    this.current = connection;
    this.connectionChanged.emit(connection);
  }
}
