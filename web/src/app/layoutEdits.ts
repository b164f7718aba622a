/**
 * Edits of the layout on their way to the host: shown at once, sent one batch after the other, and
 * made again when somebody else was faster.
 */
import { errorText } from '../lib/errorText';
import type { Edit } from '../panels/plots/edits';
import type { PlotBoard, PlotLayout } from '../world/plotLayout';

/** How often a batch is made again to a newer layout before the person is told. */
const MOST_TRIES = 5;
/** How long the host's state may take after its reply, be it yes or no. */
const STATE_MS = 1_000;
const NEWS_MS = 250;
/** More edits than this do not wait; a person has not made them. */
const MOST_WAITING = 500;

export interface Surroundings {
  /** Fails with a text for people. */
  send(layout: PlotLayout, baseRevision: bigint): Promise<void>;
  /** What is shown is another. */
  changed(): void;
  refused(text: string): void;
}

export class LayoutEdits {
  private confirmed: PlotBoard | undefined;
  private sent: readonly Edit[] = [];
  private waiting: readonly Edit[] = [];
  /** Revision that what was sent was made to. */
  private base = 0n;
  private state: 'idle' | 'asking' | 'agreed' | 'refused' = 'idle';
  private tries = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly around: Surroundings) {}

  /** The host's board with all edits that are on their way. */
  get shown(): PlotBoard | undefined {
    if (this.confirmed === undefined) {
      return undefined;
    }
    const edits = [...this.sent, ...this.waiting];
    return edits.length === 0 ? this.confirmed : { ...this.confirmed, layout: applied(this.confirmed.layout, edits) };
  }

  /** Takes what the host has now. */
  use(board: PlotBoard): void {
    this.confirmed = board;
    if (this.outrun && this.state === 'agreed') {
      this.settle();
    } else if (this.outrun && this.state === 'refused') {
      this.again();
    } else {
      this.around.changed();
      this.flush();
    }
  }

  edit(edit: Edit): void {
    if (this.waiting.length < MOST_WAITING) {
      this.waiting = [...this.waiting, edit];
      this.around.changed();
      this.flush();
    } else {
      this.around.refused('Too many changes of the plots are waiting. Try again once the connection is back');
    }
  }

  /** Forgets the timer; nothing is sent any more. */
  stop(): void {
    clearTimeout(this.timer);
  }

  private flush(): void {
    const board = this.confirmed;
    if (this.state !== 'idle' || board === undefined || this.waiting.length === 0) {
      return;
    }
    this.sent = this.waiting;
    this.waiting = [];
    this.state = 'asking';
    this.base = board.revision;
    this.around.send(applied(board.layout, this.sent), board.revision).then(
      () => {
        this.agree();
      },
      (error: unknown) => {
        this.refuse(errorText(error));
      },
    );
  }

  /** Whether the host has a newer layout than the one that was sent is made of. */
  private get outrun(): boolean {
    return this.confirmed?.revision !== this.base;
  }

  private agree(): void {
    this.tries = 0;
    if (this.outrun) {
      this.settle();
    } else {
      // The new state is under way; until it is here the edits stay, so that nothing flickers.
      this.state = 'agreed';
      this.timer = setTimeout(() => {
        this.settle();
      }, STATE_MS);
    }
  }

  /** A refusal may be faster than the news of the change that made it. */
  private refuse(text: string): void {
    if (this.tries >= MOST_TRIES) {
      this.giveUp(text);
    } else if (this.outrun) {
      this.again();
    } else {
      this.state = 'refused';
      this.timer = setTimeout(() => {
        this.giveUp(text);
      }, NEWS_MS);
    }
  }

  /** Makes what was refused again, to the newer layout. */
  private again(): void {
    this.tries += 1;
    this.waiting = [...this.sent, ...this.waiting];
    this.settle();
  }

  private giveUp(text: string): void {
    this.tries = 0;
    this.around.refused(text);
    this.settle();
  }

  private settle(): void {
    clearTimeout(this.timer);
    this.sent = [];
    this.state = 'idle';
    this.around.changed();
    this.flush();
  }
}

function applied(layout: PlotLayout, edits: readonly Edit[]): PlotLayout {
  return edits.reduce((current, edit) => edit(current), layout);
}
