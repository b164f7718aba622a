/** A small motion for the tests of the timeline. */
import type { Draft, JointCurve, TaughtAction, TaughtJoint, TaughtMotion, TaughtPoint } from '../../../world/teaching';

export function point(id: string, time: number, change: Partial<TaughtPoint> = {}): TaughtPoint {
  return { id, time, positions: [0, 0], enabled: true, note: '', velocities: [], accelerations: [], ...change };
}

export function action(id: string, time: number, type = 'voice/say', command = 'Hello'): TaughtAction {
  return { id, time, type, command, options: '' };
}

export function joint(name: string, change: Partial<TaughtJoint> = {}): TaughtJoint {
  const plain = { pathTolerance: undefined, goalTolerance: undefined, muted: false, lower: -1, upper: 1 };
  return { ...plain, maxVelocity: 2, continuous: false, unit: 'rad', known: true, name, ...change };
}

export function motion(waypoints: readonly TaughtPoint[], change: Partial<TaughtMotion> = {}): TaughtMotion {
  const plain = { name: 'wave', description: '', interpolation: 'monotone', goalTimeTolerance: undefined, actions: [] };
  const rest = { start: undefined, end: undefined, maxVelocity: undefined, maxAcceleration: undefined };
  return { ...plain, ...rest, joints: [joint('shoulder'), joint('elbow')], waypoints, ...change };
}

/** A curve of a joint; velocity and acceleration are those of the same numbers. */
export function curve(...values: number[]): JointCurve {
  const samples = Float32Array.from(values);
  return { position: samples, velocity: samples, acceleration: samples };
}

export function draft(taught: TaughtMotion, change: Partial<Draft> = {}): Draft {
  const plain = { robot: 'arm', revision: 1, author: 'page 1', undo: '', redo: '', file: '', unsaved: false };
  return { ...plain, motion: taught, warnings: [], curves: undefined, duration: 0, ...change };
}
