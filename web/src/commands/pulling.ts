/** A link in somebody's hand: the pull is sent again and again until it is let go of. */
import { Emitter } from '../lib/emitter';
import { errorText } from '../lib/errorText';
import { uuidV7 } from '../lib/uuid';
import { letGo, pullLink, type Pull, type PullGesture } from './pullLink';
import type { Sender } from './send';

/** The server lets go by itself when it hears nothing for a second. */
const REPEAT_MS = 100;

interface Held {
  pull: Pull;
  readonly gesture: PullGesture;
  readonly timer: ReturnType<typeof setInterval>;
  /** One is on its way; the next one waits for its answer, so that none pile up. */
  sending: boolean;
}

export class Pulling {
  /** Nothing is in hand any more. */
  readonly ended = new Emitter<undefined>();
  private held: Held | undefined;

  constructor(
    private readonly sender: Sender,
    private readonly refused: (reason: string) => void,
  ) {}

  /** Takes hold of a link, or pulls the one in hand elsewhere. */
  use(pull: Pull, name: string): void {
    if (this.held?.pull.link === pull.link) {
      this.held.pull = pull;
      return;
    }
    if (this.held !== undefined) {
      this.release();
    }
    const timer = setInterval(() => {
      this.send();
    }, REPEAT_MS);
    this.held = { pull, gesture: { gesture: uuidV7(), description: `Pull ${name}` }, timer, sending: false };
    this.send();
  }

  /** Lets go of what is in hand. */
  release(): void {
    const held = this.drop();
    if (held !== undefined) {
      // The pull may be over already, by itself or by an undo: then there is nothing to say.
      letGo(this.sender, held.pull.link, held.gesture).catch(() => undefined);
    }
  }

  /** Forgets what is in hand without a word to the server, which is at another time now. */
  drop(): Held | undefined {
    const { held } = this;
    this.held = undefined;
    clearInterval(held?.timer);
    this.ended.emit(undefined);
    return held;
  }

  private send(): void {
    const { held } = this;
    if (held === undefined || held.sending) {
      return;
    }
    held.sending = true;
    pullLink(this.sender, held.pull, held.gesture).then(
      () => {
        held.sending = false;
      },
      (error: unknown) => {
        if (this.held === held) {
          this.drop();
          this.refused(errorText(error));
        }
      },
    );
  }
}
