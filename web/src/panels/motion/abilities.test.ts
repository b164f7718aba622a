import { expect, it } from 'vitest';

import type { RealTwin } from '../../world/teaching';
import { abilitiesOf, type Situation } from './abilities';
import { NOTHING, only } from './selection';
import { draftWith, liveWith, pointWith } from './testing';

const twin: RealTwin = { address: 'retake:lab/arm', connected: true, armed: false, armedBy: '', state: '', goalId: '' };
const two = draftWith({ waypoints: [pointWith('1', 0), pointWith('2', 1)] });
const plain: Situation = {
  robot: { robot: 'arm', stores: true, real: false }, draft: two, live: liveWith(), selection: NOTHING, clipboard: undefined,
  speed: 1, blocked: undefined,
};
const withTwin = (change: Partial<RealTwin>): Situation => ({
  ...plain, robot: { ...plain.robot, real: true }, live: liveWith({ twin: { ...twin, ...change }, real: [0] }),
});

it('a robot that is not armed does nothing but stop', () => {
  const disarmed = abilitiesOf(withTwin({}));
  expect([disarmed['execute-real'], disarmed['torque-real']]).toEqual(['Arm the robot first', 'Arm the robot first']);
  expect([disarmed.arm, disarmed['stop-real'], disarmed['add-real']]).toEqual([undefined, undefined, undefined]);
  const armed = abilitiesOf(withTwin({ armed: true }));
  expect([armed['execute-real'], armed['torque-real']]).toEqual([undefined, undefined]);
});

it('says what keeps the real robot away', () => {
  expect(abilitiesOf(plain)['execute-real']).toBe('The robot has no twin outside');
  expect(abilitiesOf(withTwin({ connected: false, state: 'no joint states' })).arm).toBe('The real robot is not connected: no joint states');
  const silent = { ...withTwin({}), live: liveWith({ twin }) };
  expect(abilitiesOf(silent)['add-real']).toBe('Nothing is heard of the real robot');
  expect(abilitiesOf(withTwin({ connected: false }))['stop-real']).toBeUndefined();
});

it('asks for waypoints, a selection or a copy', () => {
  const empty = abilitiesOf({ ...plain, draft: draftWith() });
  expect([empty['execute-virtual'], empty.reverse, empty.mirror]).toEqual(['Add a pose first', 'It takes two waypoints that are on', 'Add a pose first']);
  expect(empty['add-virtual']).toBeUndefined();
  const none = abilitiesOf(plain);
  expect([none['set-virtual'], none.copy, none.paste, none.delete]).toEqual([
    'Select one waypoint', 'Select a waypoint first', 'Copy waypoints first', 'Select a waypoint first',
  ]);
  const one = abilitiesOf({ ...plain, selection: only('1'), speed: 2 });
  expect([one['set-virtual'], one.copy, one.delete, one.scale]).toEqual([undefined, undefined, undefined, undefined]);
  expect(none.scale).toBe('Choose another speed first');
});

it('undoes what there is, and saves where motions are stored', () => {
  const abilities = abilitiesOf({ ...plain, robot: { ...plain.robot, stores: false }, draft: draftWith({}, { undo: 'Move' }) });
  expect([abilities.undo, abilities.redo]).toEqual([undefined, 'There is nothing to redo']);
  expect(abilities.save).toContain('AnimationStoredJointTrajectory');
});

it('without a connection nothing works but copying', () => {
  const abilities = abilitiesOf({ ...withTwin({ armed: true }), selection: only('1'), blocked: 'Not connected' });
  const working = Object.entries(abilities).filter(([, reason]) => reason === undefined).map(([ability]) => ability);
  expect(working).toEqual(['copy']);
});

it('one path is recorded at a time, and what runs can be stopped', () => {
  const live = liveWith({
    recording: { twin: 'virtual', duration: 1, samples: 2 },
    virtualRun: { goalId: 'g', state: 'running', text: '', time: 0, backward: false, loops: false },
  });
  const abilities = abilitiesOf({ ...plain, live });
  expect(abilities['record-virtual']).toBe('A path is being recorded. End that first');
  expect(abilities['stop-virtual']).toBeUndefined();
  expect(abilitiesOf(plain)['stop-virtual']).toBe('Nothing runs');
});
