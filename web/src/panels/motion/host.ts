/** What the panel needs of the GUI host, which keeps the drafts. */
import type { Sender } from '../../commands/send';
import type { ShownPose } from '../../commands/teach';
import type { Draft, EditBody, GhostPose, Live, MotionShelf, TaughtRobot } from '../../world/teaching';

export interface MotionHost {
  readonly robots: readonly TaughtRobot[];
  readonly drafts: readonly Draft[];
  /** Whether the host has told what can be taught. */
  readonly known: boolean;
  /** Of the robot that is watched; undefined until something came. */
  readonly live: Live | undefined;
  /** What the 3D view shows of the draft. */
  readonly ghost: GhostPose | undefined;
  /** Why there is no ghost although one was asked for. */
  readonly ghostProblem: string | undefined;
  /** Carries all requests that are no edits; they fail with a text for people. */
  readonly sender: Sender;
  /** Says how it is with a robot from now on; undefined: of none. */
  watch(robot: string | undefined): void;
  /** Asks for a ghost; while one is under way only the newest wish waits. Undefined: none. */
  show(robot: string, pose: ShownPose | undefined): void;
  /** Sends an edit after those before it; fails with a text for people. */
  edit(robot: string, edit: EditBody, stroke: string): Promise<readonly string[]>;
  list(robot: string): Promise<MotionShelf>;
  /** Names of the joints that the robot has in the world. */
  jointsOf(robot: string): readonly string[];
}
