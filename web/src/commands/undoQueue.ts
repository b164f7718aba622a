/**
 * Undo and redo, one after the other.
 *
 * An undo names the command that it means, and only the server's lists tell which one is next. So
 * whoever presses twice has the second press wait until the first one shows in the lists, and whoever
 * presses right after an edit means that edit, which must show there first.
 */
import { errorText } from '../lib/errorText';
import { nextEntry, type Direction, type Entry, type History, type StuckPolicy } from '../world/history';
import { OwnEdits, type SentCommand } from './ownEdits';
import type { Sender } from './send';
import { undoRedo } from './undoRedo';

/** What a person wants: the next command, or a certain one with all that lies before it. */
export interface Intent {
  readonly direction: Direction;
  readonly to?: Entry;
  /** Refuses unless said otherwise: the systems in question are named then. */
  readonly stuck?: StuckPolicy;
}

export interface UndoQueueEvents {
  /** A request is on its way. */
  sent(direction: Direction): void;
  /** It did not happen, for a reason that can be shown; all that waited is forgotten. */
  refused(direction: Direction, text: string): void;
}

/** Presses beyond these are dropped: nobody counts more of them, and a held key makes many. */
export const MOST_WAITING = 8;
/** How long to wait for lists that show what was done; somebody may have turned it round already. */
export const LISTS_MS = 2_000;

interface UnderWay {
  readonly direction: Direction;
  readonly id: string;
  answered: boolean;
}

export class UndoQueue {
  private waiting: Intent[] = [];
  private underWay: UnderWay | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private history: History | undefined;
  private readonly edits = new OwnEdits(() => {
    this.proceed();
  });

  constructor(
    private readonly sender: Sender,
    private readonly events: UndoQueueEvents,
  ) {}

  /** Takes a wish; it is carried out when those before it are. */
  ask(intent: Intent): void {
    if (this.waiting.length < MOST_WAITING) {
      this.waiting.push(intent);
      this.proceed();
    }
  }

  /** Takes note of an edit of this page, which the next undo means. */
  expect(command: SentCommand): void {
    this.edits.add(command);
  }

  /** Takes in new lists. */
  use(history: History): void {
    this.history = history;
    this.edits.use(history);
    this.proceed();
  }

  /** Forgets everything, as when the connection begins anew. */
  clear(): void {
    clearTimeout(this.timer);
    this.edits.clear();
    this.waiting = [];
    this.underWay = undefined;
    this.history = undefined;
  }

  private proceed(): void {
    while (!this.mustWait()) {
      this.underWay = undefined;
      clearTimeout(this.timer);
      const intent = this.waiting.shift();
      if (intent === undefined || this.history === undefined) {
        return;
      }
      this.start(intent, this.history);
    }
  }

  private mustWait(): boolean {
    const { underWay, history } = this;
    return this.edits.awaited || (underWay !== undefined && (!underWay.answered || hasEntry(history, underWay)));
  }

  private start({ direction, to, stuck = 'refuse' }: Intent, history: History): void {
    const next = nextEntry(history, direction);
    const target = to ?? next;
    if (target === undefined || !hasEntry(history, { direction, id: target.id })) {
      if (to !== undefined) {
        this.fail(direction, `“${to.description}” is not in the list any more. Look at the history again`);
      }
      return; // The list is empty: a press too many.
    }
    const underWay: UnderWay = { direction, id: target.id, answered: false };
    this.underWay = underWay;
    this.events.sent(direction);
    undoRedo(this.sender, { direction, id: target.id, jump: target.id !== next?.id, stuck }).then(
      () => {
        this.settle(underWay);
      },
      (error: unknown) => {
        if (this.underWay === underWay) {
          this.underWay = undefined;
          this.fail(direction, errorText(error));
        }
      },
    );
  }

  private settle(underWay: UnderWay): void {
    if (this.underWay !== underWay) {
      return; // The connection is another one since.
    }
    underWay.answered = true;
    this.timer = setTimeout(() => {
      this.underWay = undefined;
      this.proceed();
    }, LISTS_MS);
    this.proceed();
  }

  private fail(direction: Direction, text: string): void {
    this.waiting = [];
    this.events.refused(direction, text);
  }
}

function hasEntry(history: History | undefined, { direction, id }: Pick<UnderWay, 'direction' | 'id'>): boolean {
  return history?.[direction].some((entry) => entry.id === id) ?? false;
}
