/** The lists of the history, the wishes of the person, and the jumps of the clock. */
import type { Client } from '../client/client';
import { limitHistory, type HistoryLimits } from '../commands/limitHistory';
import type { Sender } from '../commands/send';
import { UndoQueue } from '../commands/undoQueue';
import type { About, Level } from '../panels/messages/model';
import type { UserCmdStats } from '../protocol/generated/retake/msgs/history_pb';
import type { TimeJumped } from '../protocol/generated/retake/msgs/world_pb';
import { historyOf, type Direction, type Entry, type History, type StuckPolicy } from '../world/history';
import { timeJumpOf } from '../world/timeJump';
import { jumpNotice } from './jumpNotice';
import { OwnJumps } from './ownJumps';

/** How long the clock shows that it has jumped. */
const SHOWN_MS = 4_000;

type Say = (level: Level, text: string, about?: About) => void;

export class TimeTravel {
  /** As the host told it; undefined until it did. */
  history: History | undefined = $state.raw();
  /** How far the clock has just jumped, in seconds. */
  shownJump: { readonly spanSecs: number } | undefined = $state.raw();

  /** What becomes of systems that cannot follow, when this page goes to another time. */
  stuck: StuckPolicy = $state('refuse');

  private ownJumps = new OwnJumps();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly queue: UndoQueue;

  constructor(
    private readonly sender: Sender & Pick<Client, 'requested'>,
    private readonly say: Say,
  ) {
    this.queue = new UndoQueue(sender, {
      sent: (direction) => {
        this.ownJumps.expect(direction);
      },
      refused: (direction, text) => {
        this.ownJumps.forget(direction);
        this.say('error', `Could not ${direction}: ${text}`);
      },
    });
    sender.requested.on(({ body, reply }) => {
      if (body.case === 'command') {
        const { id = '', gesture = '' } = body.value;
        this.queue.expect({ id, gesture, reply });
      }
    });
  }

  /** Begins anew with a connection: whatever was known is of the past. */
  begin(): void {
    this.ownJumps = new OwnJumps();
    this.history = undefined;
    this.queue.clear();
  }

  /** Takes what the host calls this page. */
  useName(name: string): void {
    this.ownJumps.name = name;
  }

  stop(): void {
    clearTimeout(this.timer);
    this.queue.clear();
  }

  /** Undoes or redoes the next command, or goes straight to one of the list. */
  go(direction: Direction, to?: Entry): void {
    const { stuck } = this;
    this.queue.ask(to === undefined ? { direction, stuck } : { direction, stuck, to });
  }

  /** Changes how much is kept; fails with a text for people. */
  async limit(limits: HistoryLimits): Promise<void> {
    await limitHistory(this.sender, limits);
  }

  /** Does something that makes the time jump; returns whether it was done. */
  async jumping(cause: string, action: () => Promise<boolean>): Promise<boolean> {
    const { ownJumps } = this;
    ownJumps.expect(cause);
    const done = await action();
    if (!done) {
      ownJumps.forget(cause);
    }
    return done;
  }

  /** Does something that makes the time jump; fails as that does. */
  async jumpingOrThrow(cause: string, action: () => Promise<unknown>): Promise<void> {
    const { ownJumps } = this;
    ownJumps.expect(cause);
    try {
      await action();
    } catch (error) {
      ownJumps.forget(cause);
      throw error;
    }
  }

  useStats(stats: UserCmdStats): void {
    this.history = historyOf(stats);
    this.queue.use(this.history);
  }

  /**
   * Tells the person of a jump. In a log it is no news that somebody seeks, and what happened once
   * takes less room.
   */
  useJump(message: TimeJumped, of: 'world' | 'log' = 'world'): void {
    const jump = timeJumpOf(message);
    if (of === 'log' && jump.cause === 'seek') {
      return;
    }
    const own = of === 'world' && this.ownJumps.claim(jump);
    const { level, text } = jumpNotice(jump, own);
    const toast = own || of === 'log' ? 'small' : 'full';
    this.say(level, text, own ? { toast } : { toast, author: jump.author });
    this.show(jump.toSecs - jump.fromSecs);
  }

  private show(spanSecs: number): void {
    clearTimeout(this.timer);
    this.shownJump = spanSecs === 0 ? undefined : { spanSecs };
    this.timer = setTimeout(() => {
      this.shownJump = undefined;
    }, SHOWN_MS);
  }
}
