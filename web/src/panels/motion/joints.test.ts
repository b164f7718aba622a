import { expect, it } from 'vitest';

import { allWarnings, columnsOf, commonTolerance, missingJoints, movedFirst, readOptional, toleranceEdits, usefulGroups } from './joints';
import { draftWith, jointWith } from './testing';

const joints = [jointWith('hip', { pathTolerance: 0.1 }), jointWith('elbow'), jointWith('wrist')];
const groups = [{ name: 'arm', joints: ['elbow', 'wrist', 'hand'] }, { name: 'leg', joints: ['hip'] }, { name: 'head', joints: ['neck'] }];

it('columns keep their place when others are left out', () => {
  expect(columnsOf(joints, groups[0]).map(({ joint, index }) => `${joint.name} ${index}`)).toEqual(['elbow 1', 'wrist 2']);
  expect(columnsOf(joints, undefined)).toHaveLength(3);
});

it('puts the joints that move first, each in the order of the robot', () => {
  const some = [jointWith('hip', { muted: true }), jointWith('knee'), jointWith('neck', { muted: true }), jointWith('head')];
  expect(movedFirst(columnsOf(some, undefined)).map(({ joint, index }) => `${joint.name} ${index}`)).toEqual(['knee 1', 'head 3', 'hip 0', 'neck 2']);
});

it('offers groups that tell joints apart, and joints that are not here', () => {
  expect(usefulGroups(groups, joints).map(({ name }) => name)).toEqual(['arm', 'leg']);
  expect(usefulGroups(groups, [jointWith('hip')])).toEqual([]);
  expect(missingJoints([], groups, joints)).toEqual(['hand', 'neck']);
  expect(missingJoints(['hip', 'knee', 'hand'], groups, joints)).toEqual(['knee', 'hand', 'neck']);
});

it('changes one tolerance and keeps the other', () => {
  const joint = jointWith('hip', { pathTolerance: 0.1, goalTolerance: 0.2 });
  expect(toleranceEdits(joints, joint, 'goal', 0.3)).toEqual([{ case: 'tolerance', value: { joint: 'hip', goal: 0.3, path: 0.1 } }]);
  expect(toleranceEdits(joints, joint, 'path', undefined)).toEqual([{ case: 'tolerance', value: { joint: 'hip', goal: 0.2 } }]);
  expect(toleranceEdits([joint], 'all', 'path', Infinity)).toEqual([{ case: 'tolerance', value: { joint: '', path: Infinity, goal: 0.2 } }]);
});

it('changes all joints one by one where their other tolerance differs', () => {
  expect(toleranceEdits(joints, 'all', 'goal', 1).map(({ value }) => value)).toEqual([
    { joint: 'hip', goal: 1, path: 0.1 }, { joint: 'elbow', goal: 1 }, { joint: 'wrist', goal: 1 },
  ]);
});

it('knows what all joints have in common', () => {
  expect(commonTolerance(joints, 'path')).toBeUndefined();
  expect(commonTolerance(joints, 'goal')).toEqual({ value: undefined });
});

it('reads numbers that may be left out', () => {
  expect(readOptional(' ', 'rad')).toEqual({ value: undefined });
  expect(readOptional('180 deg', 'rad')).toEqual({ value: Math.PI });
  expect(readOptional('∞', 'rad')).toEqual({ value: Infinity });
  expect(readOptional('any', 'rad')).toEqual({ value: Infinity });
  expect(readOptional('-1', 'rad')).toHaveProperty('problem');
  expect(readOptional('far', 'rad')).toEqual({ problem: '“far” is no number. Leave it empty for the default, ∞ is without limit' });
});

it('says once what limits and a check both find', () => {
  const warning = (text: string) => ({ kind: 'other' as const, joint: '', time: 0, value: 0, limit: 0, text, refused: false });
  const draft = draftWith({}, { warnings: [warning('too fast')] });
  expect(allWarnings(draft, [warning('too fast'), warning('arm in body')]).map(({ text }) => text)).toEqual(['too fast', 'arm in body']);
  expect(allWarnings(draft, undefined)).toHaveLength(1);
});
