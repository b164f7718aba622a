import { expect, it } from 'vitest';

import type { Move } from '../../../commands/moveEntities';
import type { Scaling } from '../../../commands/scaleEntities';
import { rollPitchYaw, type Pose, type Vec3 } from '../../../lib/pose';
import { minus, unit } from '../../../lib/vector';
import type { EntityId } from '../../../world/entity';
import { PoseStore } from '../../../world/poses';
import { stateOf } from '../../../world/testing';
import { World } from '../../../world/world';
import type { SceneEngine } from '../engine';
import { Optimism } from '../optimism';
import type { Pointing } from '../pointing';
import type { Shown } from '../preview';
import type { TransformMode } from './drag';
import { TransformTool } from './tool';

function pose(x: number): Pose {
  return { position: [x, 0, 0], rotation: [0, 0, 0, 1] };
}

const EYE: Vec3 = [0, -10, 0];

/** Seen from −y, ten pixels for a metre, and handles of 88 pixels. */
function at(px: number, py: number, ctrl = false): Pointing {
  return { x: px, y: py, px, py, ctrl, shift: false };
}

function setUp(mode: TransformMode, ids: readonly EntityId[], { stepping = false } = {}) {
  const world = new World();
  world.apply(stateOf({
    1: { kind: 'world', name: 'w' },
    2: { kind: 'model', name: 'a', parent: 1, pose: pose(0) },
    3: { kind: 'model', name: 'b', parent: 1, pose: pose(2) },
  }));
  const shown = new Map<EntityId, Shown>();
  const engine = {
    sight: {
      rayAt: (x: number, y: number) => ({ origin: EYE, direction: unit(minus([x / 10, 0, -y / 10], EYE)) }),
      screenOf: ([x, , z]: Vec3) => [x * 10, -z * 10],
      toEye: () => [0, -1, 0],
      metresPerPixel: () => 0.1,
    },
    showAt: (id: EntityId, there: Shown) => shown.set(id, there),
    shownAt: (id: EntityId) => shown.get(id),
    showWhereTheyAre: (gone: readonly EntityId[]) => {
      gone.forEach((id) => shown.delete(id));
    },
  } as unknown as SceneEngine;
  const poses = new PoseStore(world);
  const sent: { readonly moves: (readonly Move[])[]; readonly scalings: (readonly Scaling[])[] } = { moves: [], scalings: [] };
  const edits = {
    move: (moves: readonly Move[]) => Promise.resolve(sent.moves.push(moves) < 0),
    scale: (scalings: readonly Scaling[]) => Promise.resolve(sent.scalings.push(scalings) < 0),
  };
  const tool = new TransformTool({ engine: () => engine, poses, optimism: new Optimism(() => engine, world, poses), edits });
  tool.use({ mode, ids, local: false, stepping, steps: { metres: 0.5, degrees: 15, factor: 0.5 } });
  return { tool, shown, sent };
}

it('a drag shows the thing on its way and sends one move at the end', () => {
  const { tool, shown, sent } = setUp('translate', [2]);
  expect(tool.press(at(50, 0))).toBe(true);
  tool.drag(at(60, 0));
  tool.drag(at(70, 0));
  expect(shown.get(2)?.pose.position[0]).toBeCloseTo(2);
  expect(sent.moves).toEqual([]);
  tool.release(at(80, 0));
  expect(sent.moves).toHaveLength(1);
  expect(sent.moves[0]?.[0]?.position?.[0]).toBeCloseTo(3);
  expect(sent.moves[0]?.[0]?.rotation).toBeUndefined();
});

it('beside the handles nothing is taken, and a drag to nowhere sends nothing', () => {
  const { tool, sent } = setUp('translate', [2]);
  expect(tool.press(at(-300, 200))).toBe(false);
  tool.press(at(50, 0));
  tool.release(at(50, 0));
  expect(sent.moves).toEqual([]);
});

it('Esc puts the thing back', () => {
  const { tool, shown, sent } = setUp('translate', [2]);
  tool.press(at(50, 0));
  tool.drag(at(90, 0));
  expect(tool.cancel()).toBe(true);
  expect(shown.size).toBe(0);
  tool.release(at(90, 0));
  expect(sent.moves).toEqual([]);
  expect(tool.cancel()).toBe(false);
});

it('Ctrl goes in steps, and freely when steps are on', () => {
  const free = setUp('translate', [2]);
  free.tool.press(at(50, 0));
  free.tool.drag(at(57, 0));
  expect(free.shown.get(2)?.pose.position[0]).toBeCloseTo(0.7);
  free.tool.rekey(true);
  expect(free.shown.get(2)?.pose.position[0]).toBeCloseTo(0.5);
  const stepping = setUp('translate', [2], { stepping: true });
  stepping.tool.press(at(50, 0));
  stepping.tool.drag(at(57, 0, true));
  expect(stepping.shown.get(2)?.pose.position[0]).toBeCloseTo(0.7);
});

it('several things turn about the last one', () => {
  const { tool, sent } = setUp('rotate', [3, 2]);
  tool.putAt({ position: [0, 0, 0], rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] });
  const [moves = []] = sent.moves;
  expect(moves.map(({ entity }) => entity)).toEqual([3, 2]);
  expect(moves[0]?.position?.[1]).toBeCloseTo(2);
  expect(rollPitchYaw(moves[0]?.rotation ?? [0, 0, 0, 1])[2]).toBeCloseTo(Math.PI / 2);
});

it('one thing that is turned keeps its place to itself', () => {
  const { tool, sent } = setUp('rotate', [3]);
  tool.putAt({ position: [2, 0, 0], rotation: [0, 0, 1, 0] });
  expect(sent.moves[0]?.[0]?.position).toBeUndefined();
});

it('a number that is typed counts more than the pointer', () => {
  const { tool, shown, sent } = setUp('translate', [2]);
  expect(tool.type('5')).toBe(false);
  tool.press(at(50, 0));
  for (const key of ['1', '2', 'Backspace', '.', '5']) {
    expect(tool.type(key)).toBe(true);
  }
  expect(tool.typed).toBe('1.5');
  tool.drag(at(500, 0));
  expect(shown.get(2)?.pose.position[0]).toBeCloseTo(1.5);
  expect(tool.type('q')).toBe(false);
  tool.type('Enter');
  expect(sent.moves[0]?.[0]?.position?.[0]).toBeCloseTo(1.5);
});

it('scales all by the same factor', () => {
  const { tool, sent } = setUp('scale', [2, 3]);
  tool.scaleBy([2, 1, 1]);
  expect(sent.scalings).toEqual([[{ entity: 2, factor: [2, 1, 1] }, { entity: 3, factor: [2, 1, 1] }]]);
});

it('other things in hand call a drag off', () => {
  const { tool, shown } = setUp('translate', [2]);
  tool.press(at(50, 0));
  tool.drag(at(90, 0));
  tool.use({ mode: 'translate', ids: [3], local: false, stepping: false, steps: { metres: 1, degrees: 1, factor: 1 } });
  expect(shown.size).toBe(0);
  expect(tool.dragging).toBe(false);
});
