import { expect, it } from 'vitest';

import { movableJoints } from './robotJoints';
import { stateOf } from './testing';
import { World } from './world';

it('names the joints of a robot and of models in it, but none that stands still', () => {
  const world = new World();
  world.apply(stateOf({
    1: { kind: 'world', name: 'lab' },
    2: { kind: 'model', name: 'arm', parent: 1 },
    3: { kind: 'joint', name: 'elbow', parent: 2, joint: { kind: 'revolute', axes: [{}] } },
    4: { kind: 'joint', name: 'mount', parent: 2, joint: { kind: 'fixed', axes: [] } },
    5: { kind: 'model', name: 'hand', parent: 2 },
    6: { kind: 'joint', name: 'finger', parent: 5, joint: { kind: 'prismatic', axes: [{}] } },
    7: { kind: 'link', name: 'joint', parent: 2 },
    8: { kind: 'joint', name: 'other', parent: 1, joint: { kind: 'revolute', axes: [{}] } },
  }));
  expect(movableJoints(world, 'arm')).toEqual(['elbow', 'hand::finger']);
  expect(movableJoints(world, 'leg')).toEqual([]);
});
