import { expect, it } from 'vitest';

import { canHide, isHidden, toggledHidden } from './hidden';
import { stateOf } from './testing';
import { World } from './world';

const world = new World();
world.apply(stateOf({
  1: { kind: 'world', name: 'course' },
  2: { kind: 'model', name: 'car', parent: 1 },
  3: { kind: 'link', name: 'wheel', parent: 2 },
  4: { kind: 'visual', name: 'tyre', parent: 3 },
  5: { kind: 'model', name: 'cone', parent: 1 },
}));

it('hides what is part of something hidden', () => {
  const seen = (hidden: readonly number[]) => [2, 3, 4, 5].filter((id) => !isHidden(world, new Set(hidden), id));
  expect(seen([])).toEqual([2, 3, 4, 5]);
  expect(seen([3])).toEqual([2, 5]);
  expect(seen([2])).toEqual([5]);
});

it('hides all of several, and shows them again when all are hidden', () => {
  expect([...toggledHidden(new Set(), [2, 5])]).toEqual([2, 5]);
  expect([...toggledHidden(new Set([2]), [2, 5])]).toEqual([2, 5]);
  expect([...toggledHidden(new Set([2, 5, 3]), [2, 5])]).toEqual([3]);
});

it('is for what is drawn', () => {
  expect(['world', 'model', 'link', 'visual', 'joint', 'light'].filter((kind) => canHide({ kind: kind as 'world' }))).toEqual(['model', 'link', 'visual']);
});
