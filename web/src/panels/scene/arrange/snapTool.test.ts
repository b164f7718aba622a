import { expect, it } from 'vitest';

import type { SurfacePlace } from '../../../commands/snapEntity';
import type { EntityId } from '../../../world/entity';
import { PoseStore } from '../../../world/poses';
import { stateOf } from '../../../world/testing';
import { World } from '../../../world/world';
import type { SceneEngine } from '../engine';
import { Optimism } from '../optimism';
import type { Pointing } from '../pointing';
import type { Shown } from '../preview';
import { SnapTool } from './snapTool';

function at(x: number): Pointing {
  return { x, y: 0, px: x, py: 0, ctrl: false, shift: false };
}

/** Two boxes a metre high, at x = 0 and x = 5; the pointer hits the top of the one it is over. */
function setUp() {
  const world = new World();
  const pose = (x: number) => ({ position: [x, 0, 0.5], rotation: [0, 0, 0, 1] });
  world.apply(stateOf({
    1: { kind: 'world', name: 'w' },
    2: { kind: 'model', name: 'a', parent: 1, pose: pose(0) },
    3: { kind: 'visual', name: 'v', parent: 2 },
    4: { kind: 'model', name: 'b', parent: 1, pose: pose(5) },
    5: { kind: 'visual', name: 'v', parent: 4 },
  }));
  const shown = new Map<EntityId, Shown>();
  const engine = {
    sight: {
      pick: (x: number, _: number, without: (visual: EntityId) => boolean) => {
        const visual = x < 2 ? 3 : 5;
        return x > 9 || without(visual) ? undefined : { visual, point: [x, 0, 1], normal: [0, 0, 1] };
      },
    },
    showAt: (id: EntityId, there: Shown) => shown.set(id, there),
    shownAt: (id: EntityId) => shown.get(id),
    showWhereTheyAre: (ids: readonly EntityId[]) => {
      ids.forEach((id) => shown.delete(id));
    },
  } as unknown as SceneEngine;
  const poses = new PoseStore(world);
  const sent: (readonly [SurfacePlace, SurfacePlace])[] = [];
  const tool = new SnapTool({
    engine: () => engine, world, poses,
    optimism: new Optimism(() => engine, world, poses),
    inHand: () => true,
    snap: (from, to) => Promise.resolve(sent.push([from, to]) < 0),
    onselect: () => undefined,
    changed: () => undefined,
  });
  return { tool, shown, sent };
}

it('two clicks send the places in the frames of their things', () => {
  const { tool, sent } = setUp();
  tool.click(at(0));
  tool.click(at(5.25));
  expect(sent).toEqual([[
    { entity: 2, point: [0, 0, 0.5], normal: [0, 0, 1] },
    { entity: 4, point: [0.25, 0, 0.5], normal: [0, 0, 1] },
  ]]);
});

it('pointing shows the thing where a click would put it', () => {
  const { tool, shown } = setUp();
  tool.hover(at(5));
  expect(shown.size).toBe(0);
  tool.click(at(0));
  tool.hover(at(5));
  const position = shown.get(2)?.pose.position;
  expect(position?.[0]).toBeCloseTo(5);
  expect(position?.[2]).toBeCloseTo(1.5);
  tool.hover(at(20));
  expect(shown.size).toBe(0);
});

it('a thing cannot be snapped to itself, and Esc begins anew', () => {
  const { tool, sent } = setUp();
  tool.click(at(0));
  tool.click(at(1));
  expect(sent).toEqual([]);
  expect(tool.cancel()).toBe(true);
  expect(tool.from).toBeUndefined();
  expect(tool.cancel()).toBe(false);
});
