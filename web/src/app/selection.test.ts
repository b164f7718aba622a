import { expect, it } from 'vitest';

import { stateOf } from '../world/testing';
import { World } from '../world/world';
import { Selection, toggled, topmost } from './selection.svelte';

function worldOf(): World {
  const world = new World();
  world.apply(stateOf({
    1: { kind: 'world', name: 'w' },
    2: { kind: 'model', name: 'a', parent: 1 },
    3: { kind: 'link', name: 'l', parent: 2 },
    4: { kind: 'model', name: 'b', parent: 1 },
  }));
  return world;
}

it('adds one as the last, and takes it out again', () => {
  expect(toggled([2], 4)).toEqual([2, 4]);
  expect(toggled([2, 4], 2)).toEqual([4]);
});

it('leaves out what is part of something else that is selected', () => {
  expect(topmost(worldOf(), [3, 4, 2])).toEqual([4, 2]);
});

it('lets go of what is gone and waits for what is to come', () => {
  const world = worldOf();
  let changes = 0;
  const selection = new Selection(world, () => {
    changes += 1;
  });
  selection.use([2, 4, 2]);
  expect(selection.ids).toEqual([2, 4]);
  selection.awaiting()([5, 6]);
  world.apply(stateOf({ 4: undefined, 5: { kind: 'model', name: 'c', parent: 1 } }, { full: false }));
  selection.follow();
  expect(selection.ids).toEqual([2]);
  world.apply(stateOf({ 6: { kind: 'model', name: 'd', parent: 1 } }, { full: false }));
  selection.follow();
  expect(selection.ids).toEqual([5, 6]);
  expect(selection.last).toBe(6);
  expect(changes).toBe(3);
});

it('keeps what the person chose while something new was on its way', () => {
  const world = worldOf();
  const selection = new Selection(world, () => undefined);
  const arrive = (id: number): void => {
    world.apply(stateOf({ [id]: { kind: 'model', name: `m${id}`, parent: 1 } }, { full: false }));
    selection.follow();
  };
  selection.use([2]);
  // Before the server has answered.
  const select = selection.awaiting();
  selection.use([4]);
  select([5]);
  arrive(5);
  expect(selection.ids).toEqual([4]);
  // After it, but before the mirror has it.
  selection.awaiting()([6]);
  selection.use([2]);
  arrive(6);
  expect(selection.ids).toEqual([2]);
});

it('takes the last of several new things, and what goes by itself is no choice', () => {
  const world = worldOf();
  const selection = new Selection(world, () => undefined);
  selection.use([4]);
  const [first, second] = [selection.awaiting(), selection.awaiting()];
  world.apply(stateOf({ 4: undefined, 5: { kind: 'model', name: 'c', parent: 1 } }, { full: false }));
  selection.follow();
  first([5]);
  expect(selection.ids).toEqual([5]);
  second([6]);
  world.apply(stateOf({ 6: { kind: 'model', name: 'd', parent: 1 } }, { full: false }));
  selection.follow();
  expect(selection.ids).toEqual([6]);
});
