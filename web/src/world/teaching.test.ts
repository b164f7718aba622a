import { create, fromJson } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';

import { RobotMotionsSchema } from '../protocol/generated/retake/msgs/motion_pb';
import {
  GhostPoseSchema, MotionWarning_Kind, MotionWarningSchema, TeachLiveSchema, TeachRun_State, TeachRunSchema, TeachStateSchema, Twin as WireTwin,
} from '../protocol/generated/retake/msgs/teach_pb';
import { ghostOf, liveOf, shelfOf, teachablesOf, wireId, wireTwin } from './teaching';

it('reads drafts, with markers and warnings', () => {
  const { robots, drafts } = teachablesOf(create(TeachStateSchema, {
    robot: [{ robot: 'arm', stores: true, real: true }],
    draft: [{
      robot: 'arm', revision: 7n, author: 'page 1', undo: 'Move', unsaved: true, duration: 2,
      motion: {
        name: 'wave', interpolation: 'monotone', goalTimeTolerance: 0, start: 3n,
        joint: [{ name: 'elbow', muted: true, lower: -1, upper: Infinity, unit: 'rad', known: true }],
        waypoint: [{ id: 3n, time: 0.5, position: [0.25], enabled: true, note: 'up' }],
        action: [{ id: 4n, time: 1, command: { type: 'voice/say', command: 'hello' } }, { id: 5n, time: 2 }],
      },
      warning: [{ kind: MotionWarning_Kind.UNKNOWN_JOINT, joint: 'elbow', text: 'No such joint', refused: true }, fromJson(MotionWarningSchema, { kind: 99 })],
      curves: { from: 0, to: 1, joint: [{ position: [0.5, 1], velocity: [2], acceleration: [] }] },
    }],
  }));
  expect(robots).toEqual([{ robot: 'arm', stores: true, real: true }]);
  const [draft] = drafts;
  expect(draft).toMatchObject({ robot: 'arm', revision: 7, undo: 'Move', redo: '', unsaved: true, duration: 2 });
  expect(draft?.motion).toMatchObject({ name: 'wave', goalTimeTolerance: 0, start: '3', end: undefined, maxVelocity: undefined });
  expect(draft?.motion.joints[0]).toMatchObject({ name: 'elbow', pathTolerance: undefined, muted: true, upper: Infinity });
  expect(draft?.motion.waypoints).toEqual([
    { id: '3', time: 0.5, positions: [0.25], enabled: true, note: 'up', velocities: [], accelerations: [] },
  ]);
  expect(draft?.motion.actions).toEqual([
    { id: '4', time: 1, type: 'voice/say', command: 'hello', options: '' },
    { id: '5', time: 2, type: '', command: '', options: '' },
  ]);
  expect(draft?.warnings.map(({ kind }) => kind)).toEqual(['unknown-joint', 'other']);
  expect([...(draft?.curves?.joints[0]?.position ?? [])]).toEqual([0.5, 1]);
});

it('takes a draft without motion and curves', () => {
  const [draft] = teachablesOf(create(TeachStateSchema, { draft: [{ robot: 'arm' }] })).drafts;
  expect(draft?.motion.waypoints).toEqual([]);
  expect(draft?.curves).toBeUndefined();
});

it('reads how it is with a robot', () => {
  const live = liveOf(create(TeachLiveSchema, {
    robot: 'arm', virtual: [1, Number.NaN], limp: [false, true], virtualAt: [3n], realAt: [3n, 4n],
    twin: { address: 'retake:lab/arm', connected: true, armed: true, armedBy: 'page 2' },
    virtualRun: { goalId: 'g', state: TeachRun_State.RUNNING, time: 0 },
    realRun: fromJson(TeachRunSchema, { state: 42, text: 'odd' }),
    recording: { twin: WireTwin.REAL, duration: 3, samples: 60 },
  }));
  expect(live).toMatchObject({ virtual: [1, Number.NaN], real: [], limp: [false, true] });
  expect([[...live.virtualAt], [...live.realAt]]).toEqual([['3'], ['3', '4']]);
  expect(live.twin).toEqual({ address: 'retake:lab/arm', connected: true, armed: true, armedBy: 'page 2', state: '', goalId: '' });
  expect(live.virtualRun).toMatchObject({ goalId: 'g', state: 'running', time: 0 });
  expect(live.realRun).toMatchObject({ state: 'unknown', time: undefined });
  expect(live.recording).toEqual({ twin: 'real', duration: 3, samples: 60 });
  const quiet = liveOf(create(TeachLiveSchema, { robot: 'arm' }));
  expect([quiet.twin, quiet.virtualRun, quiet.realRun, quiet.recording]).toEqual([undefined, undefined, undefined, undefined]);
});

it('reads a pose for drawing, and none that lacks numbers', () => {
  const pose = [0, 0, 1, 0, 0, 0, 1];
  expect(ghostOf(create(GhostPoseSchema, { base: 2n, link: [5n], pose }))).toEqual({ base: 2, links: [5], poses: Float32Array.from(pose) });
  expect(ghostOf(create(GhostPoseSchema, { base: 2n, link: [5n, 6n], pose }))).toBeUndefined();
});

it('reads the motions of a robot', () => {
  const shelf = shelfOf(create(RobotMotionsSchema, {
    folder: ['motions'], motion: [{ name: 'wave', durationSecs: 2, joint: ['elbow'], waypoints: 3 }],
    problem: ['bow.toml:3: no time'], group: [{ name: 'arm', joint: ['elbow'] }],
  }));
  expect(shelf).toEqual({
    folders: ['motions'],
    motions: [{ name: 'wave', description: '', file: '', durationSecs: 2, joints: ['elbow'], waypoints: 3, actions: 0 }],
    problems: ['bow.toml:3: no time'],
    groups: [{ name: 'arm', joints: ['elbow'] }],
  });
});

it('writes ids and twins for the wire', () => {
  expect(wireId('18446744073709551615')).toBe(18446744073709551615n);
  expect([wireTwin('virtual'), wireTwin('real')]).toEqual([WireTwin.VIRTUAL, WireTwin.REAL]);
});
