import { expect, it } from 'vitest';

import { stateOf } from '../../world/testing';
import { World } from '../../world/world';
import { linkToHold, onPlane, pointInLink, pointInWorld } from './hold';

function world(isStatic: boolean): World {
  const made = new World();
  made.apply(stateOf({
    1: { kind: 'world', name: 'w' },
    2: { kind: 'model', name: 'm', parent: 1, model: { is_static: isStatic } },
    3: { kind: 'link', name: 'l', parent: 2 },
    4: { kind: 'visual', name: 'v', parent: 3 },
  }));
  return made;
}

it('holds the link of a visual, unless its model never moves', () => {
  expect(linkToHold(world(false), 4)).toBe(3);
  expect(linkToHold(world(true), 4)).toBeUndefined();
});

it('goes from the world into a link and back', () => {
  const half = Math.SQRT1_2;
  const pose = { position: [1, 2, 3], rotation: [0, 0, half, half] } as const;
  const inside = pointInLink(pose, [1, 4, 3]);
  expect(inside[0]).toBeCloseTo(2);
  expect(inside[1]).toBeCloseTo(0);
  const back = pointInWorld(pose, inside);
  expect(back[0]).toBeCloseTo(1);
  expect(back[1]).toBeCloseTo(4);
  expect(back[2]).toBeCloseTo(3);
});

it('finds where a ray meets the plane, and where it does not', () => {
  const plane = [[0, 5, 0], [0, 1, 0]] as const;
  expect(onPlane({ origin: [0, 0, 0], direction: [0.5, 1, 0] }, ...plane)).toEqual([2.5, 5, 0]);
  expect(onPlane({ origin: [0, 0, 0], direction: [1, 0, 0] }, ...plane)).toBeUndefined();
  expect(onPlane({ origin: [0, 0, 0], direction: [0, -1, 0] }, ...plane)).toBeUndefined();
});
