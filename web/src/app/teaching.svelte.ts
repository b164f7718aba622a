/** Motions that are being taught: the drafts of the GUI host, and what this page shows of them. */
import type { Client } from '../client/client';
import { editDraft, listMotions, showPose, type ShownPose } from '../commands/teach';
import { errorText } from '../lib/errorText';
import { OneByOne } from '../lib/oneByOne';
import type { MotionHost } from '../panels/motion/host';
import { MotionViews } from '../panels/motion/views.svelte';
import type { TeachLive, TeachState } from '../protocol/generated/retake/msgs/teach_pb';
import { liveOf, teachablesOf, type Draft, type EditBody, type GhostPose, type Live, type MotionShelf, type TaughtRobot } from '../world/teaching';
import { DraftEdits } from './draftEdits';

interface Wish {
  readonly robot: string;
  readonly pose: ShownPose;
}

export class Teaching implements MotionHost {
  robots: readonly TaughtRobot[] = $state.raw([]);
  drafts: readonly Draft[] = $state.raw([]);
  known = $state(false);
  live: Live | undefined = $state.raw();
  ghost: GhostPose | undefined = $state.raw();
  ghostProblem: string | undefined = $state();
  readonly views = new MotionViews();

  private watched: string | undefined;
  /** The pose that is wanted now; answers to older wishes are not shown. */
  private wish: Wish | undefined;
  private readonly ghosts: OneByOne<Wish>;
  private readonly edits: DraftEdits;

  constructor(
    readonly sender: Pick<Client, 'request' | 'send'>,
    /** Names of the joints that a robot has in the world. */
    readonly jointsOf: (robot: string) => readonly string[],
  ) {
    this.edits = new DraftEdits(({ robot, edit, stroke }) => editDraft(this.sender, robot, edit, stroke));
    this.ghosts = new OneByOne((wish: Wish) => this.fetchGhost(wish), (_, newest) => newest, () => undefined);
  }

  /** Begins anew with a connection: the host knows nothing of this page. */
  begin(): void {
    this.live = undefined;
    this.edits.clear();
    if (this.watched !== undefined) {
      this.sendWatched();
    }
    if (this.wish !== undefined) {
      this.ghosts.ask(this.wish);
    }
  }

  stop(): void {
    this.edits.clear();
    this.ghosts.clear();
  }

  useState(message: TeachState): void {
    const { robots, drafts } = teachablesOf(message);
    this.robots = robots;
    this.drafts = drafts;
    this.known = true;
  }

  useLive(message: TeachLive): void {
    // One that was sent before the page looked at another robot is late.
    if (message.robot === this.watched) {
      this.live = liveOf(message);
    }
  }

  watch(robot: string | undefined): void {
    if (robot !== this.watched) {
      this.watched = robot;
      this.live = undefined;
      this.sendWatched();
    }
  }

  show(robot: string, pose: ShownPose | undefined): void {
    this.wish = pose && { robot, pose };
    if (this.wish === undefined) {
      this.ghosts.clear();
      this.ghost = undefined;
      this.ghostProblem = undefined;
    } else {
      this.ghosts.ask(this.wish);
    }
  }

  edit(robot: string, edit: EditBody, stroke: string): Promise<readonly string[]> {
    return this.edits.edit({ robot, edit, stroke });
  }

  list(robot: string): Promise<MotionShelf> {
    return listMotions(this.sender, robot);
  }

  /** Fails never, so that a newer wish is not forgotten with one that was refused. */
  private async fetchGhost(wish: Wish): Promise<void> {
    let ghost: GhostPose | undefined;
    let problem: string | undefined;
    try {
      ghost = await showPose(this.sender, wish.robot, wish.pose);
    } catch (error) {
      problem = errorText(error);
    }
    if (this.wish === wish) {
      this.ghost = ghost;
      this.ghostProblem = problem;
    } else if (this.wish !== undefined && ghost !== undefined) {
      // While a person drags, a pose that is a little late is better than one that stands.
      this.ghost = ghost;
    }
  }

  private sendWatched(): void {
    this.sender.send({ message: { case: 'watchTeaching', value: { robot: this.watched ?? '' } } });
  }
}
