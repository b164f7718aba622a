import { expect, it } from 'vitest';

import { PoseStore } from '../../../world/poses';
import { stateOf } from '../../../world/testing';
import { World } from '../../../world/world';
import type { SceneEngine } from '../engine';
import type { Pointing } from '../pointing';
import { MeasureTool } from './measureTool';

function at(px: number): Pointing {
  return { x: px, y: 0, px, py: 0, ctrl: false, shift: false };
}

function pose(x: number): { position: number[]; rotation: number[] } {
  return { position: [x, 0, 0], rotation: [0, 0, 0, 1] };
}

/** A thing at x = 1; the pointer hits it where it is, and left of zero nothing. */
function setUp(): { tool: MeasureTool; world: World; results: () => readonly (string | undefined)[] } {
  const world = new World();
  world.apply(stateOf({
    1: { kind: 'world', name: 'w' },
    2: { kind: 'model', name: 'm', parent: 1, pose: pose(1) },
    3: { kind: 'link', name: 'l', parent: 2 },
    4: { kind: 'visual', name: 'v', parent: 3 },
    5: { kind: 'model', name: 'ground', parent: 1 },
    6: { kind: 'link', name: 'l', parent: 5 },
    7: { kind: 'visual', name: 'v', parent: 6 },
  }));
  const engine = {
    sight: {
      pick: (x: number) => (x < 0 ? undefined : { visual: x > 5 ? 4 : 7, point: [x, 0, 0], normal: [0, 0, 1] }),
      screenOf: ([x = 0, y = 0]: readonly number[]) => [x, y],
    },
  } as unknown as SceneEngine;
  const tool = new MeasureTool({ engine: () => engine, world, poses: new PoseStore(world), inHand: () => true, changed: () => undefined });
  return { tool, world, results: () => tool.shown().map(({ label }) => label?.reading.result) };
}

it('two clicks are a distance that stays, also when its thing moves', () => {
  const { tool, world, results } = setUp();
  tool.click(at(2));
  expect(tool.click(at(-1))).toBe(true);
  tool.click(at(9));
  expect(results()).toEqual(['7.000 m']);
  world.apply(stateOf({ 2: { pose: pose(3) } }, { full: false }));
  expect(results()).toEqual(['9.000 m']);
  expect([tool.count, tool.chosen]).toEqual([1, 0]);
});

it('shows what the next click would measure, and forgets it', () => {
  const { tool, results } = setUp();
  tool.click(at(2));
  tool.hover(at(4));
  expect(results()).toEqual(['2.000 m']);
  expect(tool.cancel()).toBe(true);
  tool.hover(undefined);
  expect(results()).toEqual([]);
});

it('three clicks are an angle; measurements go one by one, all together, or with their things', () => {
  const { tool, world, results } = setUp();
  tool.use('angle');
  [1, 2, 4].forEach((x) => tool.click(at(x)));
  tool.use('distance');
  [1, 2, 1, 9].forEach((x) => tool.click(at(x)));
  expect(results()).toEqual(['180.00°', '1.000 m', '8.000 m']);
  tool.remove(1);
  expect(results()).toEqual(['1.000 m', '8.000 m']);
  world.apply(stateOf({ 3: undefined }, { full: false }));
  expect(results()).toEqual(['1.000 m']);
  tool.clear();
  expect(results()).toEqual([]);
});
