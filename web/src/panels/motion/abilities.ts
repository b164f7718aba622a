/** Which buttons work now, and why the others do not. */
import type { Draft, Live, TaughtRobot } from '../../world/teaching';
import type { Clipboard } from './clipboard';
import type { Selection } from './selection';

export interface Situation {
  readonly robot: TaughtRobot;
  readonly draft: Draft;
  readonly live: Live | undefined;
  readonly selection: Selection;
  readonly clipboard: Clipboard | undefined;
  /** Of the slider, against the taught one. */
  readonly speed: number;
  /** Why nothing can be asked for at all. */
  readonly blocked: string | undefined;
}

export type Ability =
  | 'edit' | 'undo' | 'redo' | 'save' | 'load'
  | 'add-virtual' | 'add-real' | 'set-virtual' | 'take-virtual' | 'take-real'
  | 'reverse' | 'mirror' | 'copy' | 'paste' | 'delete' | 'scale' | 'check' | 'retime'
  | 'execute-virtual' | 'execute-real' | 'stop-virtual' | 'stop-real' | 'arm' | 'disarm'
  | 'torque-virtual' | 'torque-real' | 'record-virtual' | 'record-real';

/** For each button the reason why it does not work; undefined when it does. */
export type Abilities = Readonly<Record<Ability, string | undefined>>;

export function abilitiesOf(situation: Situation): Abilities {
  const { draft, live, clipboard, speed, blocked } = situation;
  const { motion } = draft;
  const real = realProblem(situation);
  const armed = real ?? (live?.twin?.armed === true ? undefined : 'Arm the robot first');
  const stores = situation.robot.stores ? undefined : 'The robot plays no stored motions. Give it the plugin retake::AnimationStoredJointTrajectory';
  const someWaypoints = motion.waypoints.some(({ enabled }) => enabled) ? undefined : 'Add a pose first';
  const twoWaypoints = motion.waypoints.filter(({ enabled }) => enabled).length >= 2 ? undefined : 'It takes two waypoints that are on';
  const selected = situation.selection.ids.size > 0 ? undefined : 'Select a waypoint first';
  const one = situation.selection.ids.size === 1 ? undefined : 'Select one waypoint';
  const recording = live?.recording === undefined ? undefined : 'A path is being recorded. End that first';
  const first = (...reasons: readonly (string | undefined)[]): string | undefined => blocked ?? reasons.find((reason) => reason !== undefined);
  return {
    edit: blocked,
    undo: first(draft.undo === '' ? 'There is nothing to undo' : undefined),
    redo: first(draft.redo === '' ? 'There is nothing to redo' : undefined),
    save: first(stores),
    load: first(stores),
    'add-virtual': first(),
    'add-real': first(real, unheard(live)),
    'set-virtual': first(one),
    'take-virtual': first(one),
    'take-real': first(one, real, unheard(live)),
    reverse: first(twoWaypoints),
    mirror: first(motion.waypoints.length === 0 ? 'Add a pose first' : undefined),
    copy: selected,
    paste: first(clipboard === undefined ? 'Copy waypoints first' : undefined),
    delete: first(selected),
    scale: first(speed === 1 ? 'Choose another speed first' : undefined, motion.waypoints.length === 0 ? 'Add a pose first' : undefined),
    check: first(someWaypoints),
    retime: first(twoWaypoints),
    'execute-virtual': first(someWaypoints),
    'execute-real': first(armed, someWaypoints),
    'stop-virtual': first(live?.virtualRun?.state === 'running' ? undefined : 'Nothing runs'),
    // Stopping a real robot is never made hard.
    'stop-real': first(situation.robot.real ? undefined : NO_TWIN),
    arm: first(real),
    disarm: first(),
    'torque-virtual': first(),
    'torque-real': first(armed),
    'record-virtual': first(recording),
    'record-real': first(real, unheard(live), recording),
  };
}

const NO_TWIN = 'The robot has no twin outside';

function realProblem({ robot, live }: Situation): string | undefined {
  if (!robot.real) {
    return NO_TWIN;
  }
  const { connected = false, state = '' } = live?.twin ?? {};
  return connected ? undefined : `The real robot is not connected${state === '' ? '' : `: ${state}`}`;
}

function unheard(live: Live | undefined): string | undefined {
  return (live?.real.length ?? 0) > 0 ? undefined : 'Nothing is heard of the real robot';
}
