import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import type { Pose } from '../../lib/pose';
import type { EntityId } from '../../world/entity';
import { PoseStore } from '../../world/poses';
import { stateOf } from '../../world/testing';
import { World } from '../../world/world';
import type { SceneEngine } from './engine';
import { Optimism } from './optimism';
import type { Shown } from './preview';

function at(x: number): Pose {
  return { position: [x, 0, 0], rotation: [0, 0, 0, 1] };
}

/** A thing at x = 0, and a view that notes what it shows elsewhere. */
function setUp() {
  const world = new World();
  world.apply(stateOf({ 1: { kind: 'world', name: 'w' }, 2: { kind: 'model', name: 'm', parent: 1, pose: at(0) } }));
  const shown = new Map<EntityId, Shown>();
  const engine = {
    showAt: (id: EntityId, there: Shown) => shown.set(id, there),
    shownAt: (id: EntityId) => shown.get(id),
    showWhereTheyAre: (ids: readonly EntityId[]) => {
      ids.forEach((id) => shown.delete(id));
    },
  } as unknown as SceneEngine;
  const move = (x: number): void => {
    world.apply(stateOf({ 2: { pose: at(x) } }, { full: false }));
  };
  return { world, shown, move, optimism: new Optimism(() => engine, world, new PoseStore(world)) };
}

const THERE: Shown = { pose: at(5), factor: [1, 1, 1] };

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

it('shows a thing elsewhere until the world shows it there', async () => {
  const { shown, move, optimism } = setUp();
  const done = optimism.carryOut(new Map([[2, THERE]]), () => Promise.resolve(true));
  await vi.advanceTimersByTimeAsync(10);
  expect(shown.get(2)).toBe(THERE);
  move(0.001);
  await vi.advanceTimersByTimeAsync(10);
  expect(shown.has(2)).toBe(true);
  move(4.9);
  await done;
  expect(shown.has(2)).toBe(false);
});

it('what is refused snaps back at once', async () => {
  const { shown, optimism } = setUp();
  await optimism.carryOut(new Map([[2, THERE]]), () => Promise.resolve(false));
  expect(shown.size).toBe(0);
});

it('gives up when the world says nothing', async () => {
  const { shown, optimism } = setUp();
  const done = optimism.carryOut(new Map([[2, THERE]]), () => Promise.resolve(true));
  await vi.advanceTimersByTimeAsync(900);
  expect(shown.size).toBe(1);
  await vi.advanceTimersByTimeAsync(200);
  await done;
  expect(shown.size).toBe(0);
});

it('what is scaled waits for its shape', async () => {
  const { world, shown, optimism } = setUp();
  const done = optimism.carryOut(new Map([[2, { pose: at(0), factor: [2, 2, 2] }]]), () => Promise.resolve(true));
  await vi.advanceTimersByTimeAsync(10);
  expect(shown.size).toBe(1);
  world.apply(stateOf({ 2: { geometry: { sphere: { radius: 2 } } } }, { full: false }));
  await done;
  expect(shown.size).toBe(0);
});

it('leaves a thing that somebody has taken in hand again', async () => {
  const { shown, move, optimism } = setUp();
  const done = optimism.carryOut(new Map([[2, THERE]]), () => Promise.resolve(true));
  await vi.advanceTimersByTimeAsync(10);
  const again: Shown = { pose: at(9), factor: [1, 1, 1] };
  shown.set(2, again);
  move(5);
  await done;
  expect(shown.get(2)).toBe(again);
});
