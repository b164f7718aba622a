/**
 * Motions that are being taught, as the host told them last: drafts of robots, how it is with a
 * robot now, and what was executed.
 *
 * Ids of waypoints and actions are texts here, `'12'` for the wire's 12: they are only compared and
 * sent back. Edits are those of the wire; [`wireId`] makes the number for them.
 */
import type { MessageInitShape } from '@bufbuild/protobuf';

import type { RobotMotions } from '../protocol/generated/retake/msgs/motion_pb';
import {
  MotionWarning_Kind, TeachRun_State, Twin as WireTwin,
  type DraftEditSchema, type GhostPose as WireGhost, type JointCurve as WireCurve, type MotionCurves as WireCurves,
  type MotionDraft, type MotionWarning as WireWarning, type TaughtAction as WireAction, type TaughtJoint as WireJoint,
  type TaughtMotion as WireMotion, type TaughtPoint as WirePoint, type TeachLive, type TeachRobot, type TeachRun,
  type TeachState,
} from '../protocol/generated/retake/msgs/teach_pb';
import { entityIdOf, type EntityId } from './entity';

/** One change of a draft, as the wire has it. */
export type EditBody = NonNullable<MessageInitShape<typeof DraftEditSchema>['edit']>;

/** The robot in the simulation, or the one outside. */
export type Twin = 'virtual' | 'real';

/** All that can be taught here. */
export interface Teachables {
  readonly robots: readonly TaughtRobot[];
  readonly drafts: readonly Draft[];
}

export interface TaughtRobot {
  /** Path of its model. */
  readonly robot: string;
  /** Whether drafts can be saved for it. */
  readonly stores: boolean;
  /** Whether it has a twin outside. */
  readonly real: boolean;
}

export interface Draft {
  readonly robot: string;
  /** Another one after each change. */
  readonly revision: number;
  /** Who changed it last. */
  readonly author: string;
  readonly motion: TaughtMotion;
  /** What undoing would take back, for people; empty: nothing. */
  readonly undo: string;
  readonly redo: string;
  /** Where it was loaded from or saved to last; empty: nowhere yet. */
  readonly file: string;
  readonly unsaved: boolean;
  readonly warnings: readonly MotionWarning[];
  /** Undefined while fewer than two waypoints count. */
  readonly curves: MotionCurves | undefined;
  /** From the start marker to the end marker, in s. */
  readonly duration: number;
}

/** Every list of numbers below has the order of `joints`. */
export interface TaughtMotion {
  readonly name: string;
  readonly description: string;
  readonly interpolation: string;
  /** In s; undefined is the player's default, negative without limit. */
  readonly goalTimeTolerance: number | undefined;
  readonly joints: readonly TaughtJoint[];
  /** Sorted by time. */
  readonly waypoints: readonly TaughtPoint[];
  /** Sorted by time. */
  readonly actions: readonly TaughtAction[];
  /** Ids of the marked waypoints. */
  readonly start: string | undefined;
  readonly end: string | undefined;
  /** In rad/s or m/s, besides the limits of the joints themselves. */
  readonly maxVelocity: number | undefined;
  /** In rad/s² or m/s². */
  readonly maxAcceleration: number | undefined;
}

export interface TaughtJoint {
  readonly name: string;
  /** In rad or m; undefined is the player's default, infinite any distance. */
  readonly pathTolerance: number | undefined;
  readonly goalTolerance: number | undefined;
  /** Whether waypoints keep its position but the motion does not move it. */
  readonly muted: boolean;
  /** In rad or m; infinite without one. */
  readonly lower: number;
  readonly upper: number;
  /** In rad/s or m/s; infinite without one. */
  readonly maxVelocity: number;
  /** Whether it turns without end. */
  readonly continuous: boolean;
  /** `'rad'` or `'m'`. */
  readonly unit: string;
  /** Whether the robot has it. */
  readonly known: boolean;
}

export interface TaughtPoint {
  readonly id: string;
  /** In s. */
  readonly time: number;
  readonly positions: readonly number[];
  readonly enabled: boolean;
  readonly note: string;
  /** One for each joint, or none. */
  readonly velocities: readonly number[];
  readonly accelerations: readonly number[];
}

export interface TaughtAction {
  readonly id: string;
  /** In s. */
  readonly time: number;
  readonly type: string;
  readonly command: string;
  readonly options: string;
}

export type WarningKind = 'other' | 'position' | 'velocity' | 'acceleration' | 'overshoot' | 'collision' | 'unknown-joint' | 'order';

export interface MotionWarning {
  readonly kind: WarningKind;
  /** Empty when it is about no joint. */
  readonly joint: string;
  /** Where in the draft it is worst, in s. */
  readonly time: number;
  readonly value: number;
  readonly limit: number;
  readonly text: string;
  /** Whether a robot refuses the motion for it. */
  readonly refused: boolean;
}

/** Curves at even times, from the first to the last waypoint that counts. */
export interface MotionCurves {
  /** In s. */
  readonly from: number;
  readonly to: number;
  /** One for each joint; those of muted joints are empty. */
  readonly joints: readonly JointCurve[];
}

export interface JointCurve {
  readonly position: Float32Array;
  readonly velocity: Float32Array;
  readonly acceleration: Float32Array;
}

/** How it is with a robot that is being taught. */
export interface Live {
  readonly robot: string;
  /** Where the joints of the draft are; not a number where it is not known. */
  readonly virtual: readonly number[];
  /** Empty while nothing is heard of a robot outside. */
  readonly real: readonly number[];
  /** Whether the servo of each joint of the virtual robot is off. */
  readonly limp: readonly boolean[];
  /** Waypoints that the robots are at. */
  readonly virtualAt: ReadonlySet<string>;
  readonly realAt: ReadonlySet<string>;
  /** Undefined without a robot outside. */
  readonly twin: RealTwin | undefined;
  /** What was executed last. */
  readonly virtualRun: Run | undefined;
  readonly realRun: Run | undefined;
  /** Undefined while no path is recorded. */
  readonly recording: PathRecording | undefined;
}

export interface RealTwin {
  readonly address: string;
  readonly connected: boolean;
  readonly armed: boolean;
  /** Who armed it. */
  readonly armedBy: string;
  /** What it does, or why it does nothing. */
  readonly state: string;
  /** Goal that it follows; empty: none. */
  readonly goalId: string;
}

export type RunState = 'unknown' | 'running' | 'succeeded' | 'canceled' | 'aborted' | 'preempted' | 'refused';

export interface Run {
  readonly goalId: string;
  readonly state: RunState;
  readonly text: string;
  /** Where it is in the draft's own time, in s; undefined while that is not known. */
  readonly time: number | undefined;
  readonly backward: boolean;
  readonly loops: boolean;
}

export interface PathRecording {
  readonly twin: Twin;
  /** In s. */
  readonly duration: number;
  readonly samples: number;
}

/** Where the links of a robot would be. */
export interface GhostPose {
  /** The link that stays where it is. */
  readonly base: EntityId;
  readonly links: readonly EntityId[];
  /** Of each link, in the base's frame: x y z qx qy qz qw. */
  readonly poses: Float32Array;
}

/** The motions that a robot can load. */
export interface MotionShelf {
  readonly folders: readonly string[];
  readonly motions: readonly ShelvedMotion[];
  /** Files that cannot be read, each with line and reason. */
  readonly problems: readonly string[];
  readonly groups: readonly JointGroup[];
}

export interface ShelvedMotion {
  readonly name: string;
  readonly description: string;
  readonly file: string;
  readonly durationSecs: number;
  readonly joints: readonly string[];
  readonly waypoints: number;
  readonly actions: number;
}

export interface JointGroup {
  readonly name: string;
  readonly joints: readonly string[];
}

/** Numbers of one pose, for each link. */
const NUMBERS_OF_POSE = 7;

/** Makes the wire's number of an id. */
export function wireId(id: string): bigint {
  return BigInt(id);
}

export function wireTwin(twin: Twin): WireTwin {
  return twin === 'real' ? WireTwin.REAL : WireTwin.VIRTUAL;
}

export function teachablesOf({ robot, draft }: TeachState): Teachables {
  return { robots: robot.map(robotOf), drafts: draft.map(draftOf) };
}

export function draftOf(draft: MotionDraft): Draft {
  const { robot, revision, author, undo, redo, file, unsaved, duration } = draft;
  return {
    robot, author, undo, redo, file, unsaved, duration,
    revision: Number(revision),
    motion: motionOf(draft.motion),
    warnings: draft.warning.map(warningOf),
    curves: draft.curves && curvesOf(draft.curves),
  };
}

export function warningOf({ kind, joint, time, value, limit, text, refused }: WireWarning): MotionWarning {
  return { kind: warningKindOf(kind), joint, time, value, limit, text, refused };
}

export function liveOf(live: TeachLive): Live {
  const { robot, virtual, real, limp, recording } = live;
  return {
    robot, virtual, real, limp,
    virtualAt: new Set(live.virtualAt.map(String)),
    realAt: new Set(live.realAt.map(String)),
    twin: live.twin && twinOf(live.twin),
    virtualRun: live.virtualRun && runOf(live.virtualRun),
    realRun: live.realRun && runOf(live.realRun),
    recording: recording && {
      twin: recording.twin === WireTwin.REAL ? 'real' : 'virtual',
      duration: recording.duration,
      samples: recording.samples,
    },
  };
}

/** Reads a pose for drawing; undefined when it lacks numbers. */
export function ghostOf({ base, link, pose }: WireGhost): GhostPose | undefined {
  if (pose.length !== link.length * NUMBERS_OF_POSE) {
    return undefined;
  }
  return { base: entityIdOf(base), links: link.map(entityIdOf), poses: Float32Array.from(pose) };
}

export function shelfOf({ folder, motion, problem, group }: RobotMotions): MotionShelf {
  return {
    folders: folder,
    motions: motion.map(({ name, description, file, durationSecs, joint, waypoints, actions }) => ({
      name, description, file, durationSecs, joints: joint, waypoints, actions,
    })),
    problems: problem,
    groups: group.map(({ name, joint }) => ({ name, joints: joint })),
  };
}

function robotOf({ robot, stores, real }: TeachRobot): TaughtRobot {
  return { robot, stores, real };
}

const NO_MOTION: TaughtMotion = {
  name: '', description: '', interpolation: '', goalTimeTolerance: undefined, joints: [], waypoints: [], actions: [],
  start: undefined, end: undefined, maxVelocity: undefined, maxAcceleration: undefined,
};

function motionOf(motion: WireMotion | undefined): TaughtMotion {
  if (motion === undefined) {
    return NO_MOTION;
  }
  const { name, description, interpolation, goalTimeTolerance, maxVelocity, maxAcceleration } = motion;
  return {
    name, description, interpolation, goalTimeTolerance, maxVelocity, maxAcceleration,
    joints: motion.joint.map(jointOf),
    waypoints: motion.waypoint.map(pointOf),
    actions: motion.action.map(actionOf),
    start: markOf(motion.start),
    end: markOf(motion.end),
  };
}

function markOf(id: bigint): string | undefined {
  return id === 0n ? undefined : String(id);
}

function jointOf(joint: WireJoint): TaughtJoint {
  const { name, pathTolerance, goalTolerance, muted, lower, upper, maxVelocity, continuous, unit, known } = joint;
  return { name, pathTolerance, goalTolerance, muted, lower, upper, maxVelocity, continuous, unit, known };
}

function pointOf({ id, time, position, enabled, note, velocity, acceleration }: WirePoint): TaughtPoint {
  return { id: String(id), time, positions: position, enabled, note, velocities: velocity, accelerations: acceleration };
}

function actionOf({ id, time, command }: WireAction): TaughtAction {
  const { type = '', command: words = '', options = '' } = command ?? {};
  return { id: String(id), time, type, command: words, options };
}

function curvesOf({ from, to, joint }: WireCurves): MotionCurves {
  return { from, to, joints: joint.map(curveOf) };
}

function curveOf({ position, velocity, acceleration }: WireCurve): JointCurve {
  return {
    position: Float32Array.from(position),
    velocity: Float32Array.from(velocity),
    acceleration: Float32Array.from(acceleration),
  };
}

function twinOf({ address, connected, armed, armedBy, state, goalId }: NonNullable<TeachLive['twin']>): RealTwin {
  return { address, connected, armed, armedBy, state, goalId };
}

function runOf({ goalId, state, text, time, backward, loops }: TeachRun): Run {
  return { goalId, state: runStateOf(state), text, time, backward, loops };
}

/** Protobuf enums are open: states that only later hosts know are unknown. */
function runStateOf(state: TeachRun_State): RunState {
  switch (state) {
    case TeachRun_State.RUNNING:
      return 'running';
    case TeachRun_State.SUCCEEDED:
      return 'succeeded';
    case TeachRun_State.CANCELED:
      return 'canceled';
    case TeachRun_State.ABORTED:
      return 'aborted';
    case TeachRun_State.PREEMPTED:
      return 'preempted';
    case TeachRun_State.REFUSED:
      return 'refused';
    case TeachRun_State.UNKNOWN:
    default:
      return 'unknown';
  }
}

function warningKindOf(kind: MotionWarning_Kind): WarningKind {
  switch (kind) {
    case MotionWarning_Kind.POSITION:
      return 'position';
    case MotionWarning_Kind.VELOCITY:
      return 'velocity';
    case MotionWarning_Kind.ACCELERATION:
      return 'acceleration';
    case MotionWarning_Kind.OVERSHOOT:
      return 'overshoot';
    case MotionWarning_Kind.COLLISION:
      return 'collision';
    case MotionWarning_Kind.UNKNOWN_JOINT:
      return 'unknown-joint';
    case MotionWarning_Kind.ORDER:
      return 'order';
    case MotionWarning_Kind.OTHER:
    default:
      return 'other';
  }
}
