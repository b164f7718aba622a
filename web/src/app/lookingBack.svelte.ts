/** The kept past: what the page shows of it in place of the present, and what is done with it. */
import { addBookmark, deleteInTimeline, limitTimeline, renameInTimeline, type NamedKind, type TimelineLimits } from '../commands/editTimeline';
import { lookAtPresent, lookBack } from '../commands/lookBack';
import { resumeTimeline } from '../commands/resumeTimeline';
import type { Sender } from '../commands/send';
import { errorText } from '../lib/errorText';
import { OneByOne } from '../lib/oneByOne';
import type { Place, Shown, TimelineHost } from '../panels/timeline/host';
import type { Timeline as TimelineMessage } from '../protocol/generated/retake/msgs/timeline_pb';
import type { StuckPolicy } from '../world/history';
import { branchThrough, liveEpoch, timelineOf, type FoundInstant, type Instant, type Timeline } from '../world/timeline';

/** How long to wait for a timeline that shows a jump which the server has made. */
const ARRIVAL_MS = 1_000;

/** What looking back needs of the session. */
export interface Surroundings {
  refused(text: string): void;
  /** Does something that makes the time jump, for everybody; fails with a text for people. */
  jumping(jump: () => Promise<unknown>): Promise<void>;
  stuck(): StuckPolicy;
}

interface Wish {
  readonly instant: Instant;
  readonly at: Place;
  /** Wishes from before the person went back to the present are forgotten. */
  readonly journey: number;
}

interface Seen {
  readonly found: FoundInstant;
  readonly branch: string;
  readonly bookmark: string;
}

export class LookingBack implements TimelineHost {
  timeline: Timeline | undefined = $state.raw();
  wanted: Place | undefined = $state.raw();

  private seen: Seen | undefined = $state.raw();
  /** Whether what is drawn is of the past: it comes before the reply to a look, and stays after it. */
  private drawn = $state(false);
  private journey = 0;
  /** Looks at each new timeline. */
  private waiting: (() => void) | undefined;
  private readonly looks: OneByOne<Wish>;

  constructor(
    private readonly sender: Sender,
    private readonly around: Surroundings,
  ) {
    this.looks = new OneByOne((wish: Wish) => this.find(wish), (_, newest) => newest, (error) => {
      this.fail(error);
    });
  }

  /** What is shown; its branch is the one that leads there now, whatever became of names since. */
  get shown(): Shown | undefined {
    if (this.seen === undefined) {
      return undefined;
    }
    const { found, branch, bookmark } = this.seen;
    const through = this.timeline && branchThrough(this.timeline, found);
    const named = this.timeline?.bookmarks.some(({ name }) => name === bookmark) ?? false;
    return { found, secs: found.secs, branch: through?.name ?? branch, bookmark: named ? bookmark : '' };
  }

  /** Whether the page shows the past, or is about to. */
  get active(): boolean {
    return this.seen !== undefined || this.wanted !== undefined || this.drawn;
  }

  /** Begins anew with a connection: the host shows the present. */
  begin(): void {
    this.stop();
    this.timeline = undefined;
  }

  stop(): void {
    this.forgetWishes();
    this.useSet(false);
  }

  use(message: TimelineMessage): void {
    this.timeline = timelineOf(message);
    this.waiting?.();
  }

  /** Takes note whether what is drawn from now on is of the past. */
  useSet(ofPast: boolean): void {
    this.drawn = ofPast;
    if (!ofPast) {
      this.seen = undefined;
    }
  }

  look(instant: Instant, at: Place): void {
    this.wanted = at;
    this.looks.ask({ instant, at, journey: this.journey });
  }

  /** Goes some steps of the world on, or back when negative. */
  step(secs: number, nowSecs: number): void {
    const live = this.timeline?.branches.find((branch) => branch.live)?.name;
    const from = this.wanted ?? this.shown ?? (live === undefined ? undefined : { branch: live, secs: nowSecs });
    if (from === undefined) {
      this.around.refused('The timeline is off. Nothing of the past is kept');
      return;
    }
    const { branch } = from;
    const to = Math.max(from.secs + secs, 0);
    if (branch === live && to >= nowSecs) {
      this.lookAtPresent();
    } else {
      this.look({ branch, secs: to }, { branch, secs: to });
    }
  }

  /** Shows the present again. What is drawn is of the past until that comes, and is called so. */
  lookAtPresent(): void {
    if (this.active) {
      this.forgetWishes();
      // What is looked for just now is given up by the host, so this does not wait for it.
      lookAtPresent(this.sender).catch((error: unknown) => {
        this.around.refused(errorText(error));
      });
    }
  }

  async resume(fork = ''): Promise<void> {
    const instant = this.instant();
    if (instant !== undefined) {
      await this.jump(instant, fork);
    }
  }

  resumeFrom(instant: Instant): Promise<void> {
    return this.jump(instant, '');
  }

  switchTo(branch: string): Promise<void> {
    return this.jump({ branch }, '');
  }

  bookmark(name: string): Promise<void> {
    return addBookmark(this.sender, name, this.instant());
  }

  rename(kind: NamedKind, name: string, to: string): Promise<void> {
    return renameInTimeline(this.sender, kind, name, to);
  }

  remove(kind: NamedKind, name: string): Promise<void> {
    return deleteInTimeline(this.sender, kind, name);
  }

  limit(limits: TimelineLimits): Promise<void> {
    return limitTimeline(this.sender, limits);
  }

  /** The instant that is shown; a bookmark is exactly its own. */
  private instant(): Instant | undefined {
    const { shown } = this;
    if (shown === undefined) {
      return undefined;
    }
    return shown.bookmark === '' ? { branch: shown.branch, secs: shown.secs } : { bookmark: shown.bookmark };
  }

  private async jump(instant: Instant, fork: string): Promise<void> {
    const epoch = this.timeline && liveEpoch(this.timeline);
    await this.around.jumping(() => resumeTimeline(this.sender, this.asResumed(instant), this.around.stuck(), fork));
    if (this.active) {
      // The host may not have the new present yet, and would show the one that was left.
      await this.jumpFrom(epoch);
      this.lookAtPresent();
    }
  }

  /** Waits until the timeline shows another stretch than one, for a while. */
  private jumpFrom(epoch: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        this.waiting = undefined;
        resolve();
      };
      const timer = setTimeout(finish, ARRIVAL_MS);
      this.waiting = (): void => {
        if (this.timeline === undefined || liveEpoch(this.timeline) !== epoch) {
          finish();
        }
      };
      this.waiting();
    });
  }

  private forgetWishes(): void {
    this.journey += 1;
    this.looks.clear();
    this.wanted = undefined;
  }

  /** Whoever stays on the branch that goes on resumes; whoever names another one switches to it. */
  private asResumed(instant: Instant): Instant {
    const live = this.timeline?.branches.find((branch) => branch.live)?.name;
    return 'branch' in instant && instant.branch === live ? { ...instant, branch: '' } : instant;
  }

  private async find({ instant, at, journey }: Wish): Promise<void> {
    try {
      const found = await lookBack(this.sender, instant);
      if (journey === this.journey) {
        this.seen = { found, branch: at.branch, bookmark: 'bookmark' in instant ? instant.bookmark : '' };
        this.wanted = this.wanted === at ? undefined : this.wanted;
      }
    } catch (error) {
      // Whoever went back to the present does not want it any more.
      if (journey === this.journey) {
        throw error;
      }
    }
  }

  private fail(error: unknown): void {
    this.wanted = undefined;
    this.around.refused(errorText(error));
  }
}
