/** Requests that wait for their reply. */
import type { Reply } from '../protocol/generated/retake/msgs/page_pb';

/** More open requests than this are refused at once. */
const MOST_PENDING = 256;

/** A request that failed, with a text for the person who made it. */
export class RequestError extends Error {
  constructor(
    message: string,
    /** What the server said with its refusal; absent when there was no answer. */
    readonly reply?: Reply,
  ) {
    super(message);
  }
}

interface Waiting {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: RequestError) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** Gives out request ids and brings replies back to who asked. */
export class PendingRequests {
  private nextId = 1n;
  private readonly waiting = new Map<bigint, Waiting>();

  constructor(private readonly timeoutMs = 10_000) {}

  /** Starts a request: `send` gets the id to put into the message. Some take longer than others. */
  start(send: (requestId: bigint) => void, patienceMs = this.timeoutMs): Promise<Reply> {
    if (this.waiting.size >= MOST_PENDING) {
      return Promise.reject(new RequestError('Too many requests are waiting. Try again in a moment'));
    }
    const id = this.nextId;
    this.nextId += 1n;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.delete(id);
        reject(new RequestError('The server did not answer'));
      }, patienceMs);
      this.waiting.set(id, { resolve, reject, timer });
      send(id);
    });
  }

  /** Brings a reply home. A refusal becomes an error with the server's text. */
  settle(reply: Reply): void {
    const waiting = this.waiting.get(reply.requestId);
    if (waiting === undefined) {
      return; // It came after its time was up, and the person has been told.
    }
    this.waiting.delete(reply.requestId);
    clearTimeout(waiting.timer);
    if (reply.ok) {
      waiting.resolve(reply);
    } else {
      waiting.reject(new RequestError(reply.message || 'The server refused', reply));
    }
  }

  /** Fails all that wait, as when the connection is gone. */
  failAll(text: string): void {
    for (const { reject, timer } of this.waiting.values()) {
      clearTimeout(timer);
      reject(new RequestError(text));
    }
    this.waiting.clear();
  }
}
