/** Makes drafts for tests out of little. */
import type { Draft, Live, TaughtJoint, TaughtMotion, TaughtPoint } from '../../world/teaching';

export function jointWith(name: string, change: Partial<TaughtJoint> = {}): TaughtJoint {
  return {
    name, pathTolerance: undefined, goalTolerance: undefined, muted: false, lower: -Infinity, upper: Infinity, maxVelocity: Infinity,
    continuous: false, unit: 'rad', known: true, ...change,
  };
}

export function pointWith(id: string, time: number, positions: readonly number[] = []): TaughtPoint {
  return { id, time, positions, enabled: true, note: '', velocities: [], accelerations: [] };
}

export function motionWith(change: Partial<TaughtMotion> = {}): TaughtMotion {
  return {
    name: 'wave', description: '', interpolation: 'monotone', goalTimeTolerance: undefined, joints: [jointWith('elbow')],
    waypoints: [], actions: [], start: undefined, end: undefined, maxVelocity: undefined, maxAcceleration: undefined, ...change,
  };
}

export function draftWith(motion: Partial<TaughtMotion> = {}, change: Partial<Draft> = {}): Draft {
  return {
    robot: 'arm', revision: 1, author: '', motion: motionWith(motion), undo: '', redo: '', file: '', unsaved: false,
    warnings: [], curves: undefined, duration: 0, ...change,
  };
}

export function liveWith(change: Partial<Live> = {}): Live {
  return {
    robot: 'arm', virtual: [0], real: [], limp: [false], virtualAt: new Set(), realAt: new Set(), twin: undefined,
    virtualRun: undefined, realRun: undefined, recording: undefined, ...change,
  };
}
