/**
 * What is asked of the GUI host about motions that are being taught. Drafts are no part of the
 * world; executing one is a command that the host makes of it.
 */
import type { MessageInitShape } from '@bufbuild/protobuf';

import type { TeachAnswer, TeachRequestSchema } from '../protocol/generated/retake/msgs/teach_pb';
import {
  ghostOf, shelfOf, warningOf, wireId, wireTwin,
  type EditBody, type GhostPose, type MotionShelf, type MotionWarning, type Twin,
} from '../world/teaching';
import { refusedReply, type Sender } from './send';

type Asked = NonNullable<MessageInitShape<typeof TeachRequestSchema>['what']>;

/** A pose of a draft: that of a waypoint, or at a time in s. */
export type ShownPose = { readonly waypoint: string } | { readonly timeSecs: number };

/** How a draft is executed. */
export interface Execution {
  readonly twin: Twin;
  readonly backward: boolean;
  /** Against the taught speed. */
  readonly speed: number;
  readonly loops: boolean;
  /** Whether the robot goes slowly to where it begins first. */
  readonly approach: boolean;
}

const NO_SHELF: MotionShelf = { folders: [], motions: [], problems: [], groups: [] };

/** Begins the draft of a robot; `anew` although there is one. */
export async function openDraft(sender: Sender, robot: string, anew: boolean): Promise<void> {
  await ask(sender, robot, { case: 'open', value: { anew } });
}

/** Changes a draft; changes of one `stroke` are undone together, those of an empty one alone. */
export async function editDraft(sender: Sender, robot: string, edit: EditBody, stroke: string): Promise<readonly string[]> {
  return madeIn(await ask(sender, robot, { case: 'edit', value: { stroke, edit } }));
}

export async function undoDraft(sender: Sender, robot: string, direction: 'undo' | 'redo'): Promise<void> {
  await ask(sender, robot, { case: 'undo', value: { redo: direction === 'redo' } });
}

/** Replaces the draft by a stored motion. */
export async function loadDraft(sender: Sender, robot: string, motion: string): Promise<void> {
  await ask(sender, robot, { case: 'load', value: { motion } });
}

/** Writes the whole draft as a motion; returns `exists` when only an older one of that name is in the way. */
export async function saveDraft(sender: Sender, robot: string, name: string, replace: boolean): Promise<'saved' | 'exists'> {
  try {
    await ask(sender, robot, { case: 'save', value: { name, replace } });
    return 'saved';
  } catch (error) {
    if (refusedReply(error)?.teach?.exists === true) {
      return 'exists';
    }
    throw error;
  }
}

/** Adds where a robot is as a waypoint, a second after the last unless there is a time; returns its id. */
export async function addPose(sender: Sender, robot: string, twin: Twin, timeSecs?: number): Promise<readonly string[]> {
  const time = timeSecs === undefined ? {} : { time: timeSecs };
  return madeIn(await ask(sender, robot, { case: 'addPose', value: { twin: wireTwin(twin), ...time } }));
}

/** Puts where a robot is into a waypoint. */
export async function takePose(sender: Sender, robot: string, twin: Twin, waypoint: string): Promise<void> {
  await ask(sender, robot, { case: 'takePose', value: { twin: wireTwin(twin), waypoint: wireId(waypoint) } });
}

/** Puts the virtual robot where a waypoint is. */
export async function putPose(sender: Sender, robot: string, waypoint: string): Promise<void> {
  await ask(sender, robot, { case: 'putPose', value: { waypoint: wireId(waypoint) } });
}

export async function executeDraft(sender: Sender, robot: string, { twin, ...how }: Execution): Promise<void> {
  await ask(sender, robot, { case: 'execute', value: { twin: wireTwin(twin), ...how } });
}

export async function stopDraft(sender: Sender, robot: string, twin: Twin): Promise<void> {
  await ask(sender, robot, { case: 'stop', value: { twin: wireTwin(twin) } });
}

/** Switches servos: all of the robot, or those that the draft moves. */
export async function switchTorque(sender: Sender, robot: string, twin: Twin, which: { readonly all: boolean; readonly on: boolean }): Promise<void> {
  await ask(sender, robot, { case: 'torque', value: { twin: wireTwin(twin), ...which } });
}

/** Lets commands reach the robot outside, or not any more. */
export async function armTwin(sender: Sender, robot: string, arm: boolean): Promise<void> {
  await ask(sender, robot, { case: 'arm', value: { arm } });
}

/** Begins to record where a robot is led, ends it with waypoints, or forgets what was recorded. */
export async function recordPath(sender: Sender, robot: string, twin: Twin, what: 'begin' | 'end' | 'discard'): Promise<readonly string[]> {
  const value = { twin: wireTwin(twin), on: what === 'begin', discard: what === 'discard' };
  return madeIn(await ask(sender, robot, { case: 'record', value }));
}

/** Looks at the whole way for limits and links in one place. */
export async function checkDraft(sender: Sender, robot: string): Promise<readonly MotionWarning[]> {
  const { finding } = (await ask(sender, robot, { case: 'check', value: {} })) ?? { finding: [] };
  return finding.map(warningOf);
}

/** Makes the draft as short as its limits allow. */
export async function retimeDraft(sender: Sender, robot: string): Promise<void> {
  await ask(sender, robot, { case: 'retime', value: {} });
}

/** Swaps left and right; without waypoints in all of them. */
export async function mirrorDraft(sender: Sender, robot: string, waypoints: readonly string[]): Promise<void> {
  await ask(sender, robot, { case: 'mirror', value: { waypoint: waypoints.map(wireId) } });
}

/** Asks where the links would be in a pose of the draft; undefined when the host does not say. */
export async function showPose(sender: Sender, robot: string, pose: ShownPose): Promise<GhostPose | undefined> {
  const value = 'waypoint' in pose
    ? ({ case: 'waypoint', value: wireId(pose.waypoint) } as const)
    : ({ case: 'time', value: pose.timeSecs } as const);
  const answer = await ask(sender, robot, { case: 'show', value: { pose: value } });
  return answer?.ghost && ghostOf(answer.ghost);
}

/** Asks for the motions that a robot can load. */
export async function listMotions(sender: Sender, robot: string): Promise<MotionShelf> {
  const answer = await ask(sender, robot, { case: 'list', value: {} });
  return answer?.motions === undefined ? NO_SHELF : shelfOf(answer.motions);
}

async function ask(sender: Sender, robot: string, what: Asked): Promise<TeachAnswer | undefined> {
  const { teach } = await sender.request({ case: 'teach', value: { robot, what } });
  return teach;
}

function madeIn(answer: TeachAnswer | undefined): readonly string[] {
  return (answer?.made ?? []).map(String);
}
