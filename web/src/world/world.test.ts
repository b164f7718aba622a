import { describe, expect, it } from 'vitest';

import { readGeometry, readMaterial } from './components';
import { PoseStore } from './poses';
import { stateOf } from './testing';
import { World, type WorldChange } from './world';

const pose = (x: number, y = 0, z = 0) => ({ position: [x, y, z], rotation: [0, 0, 0, 1] });

function vehicleWorld(): World {
  const world = new World();
  world.apply(
    stateOf({
      1: { kind: 'world', name: 'course' },
      2: { kind: 'model', name: 'vehicle', parent: 1, pose: pose(1) },
      3: { kind: 'link', name: 'chassis', parent: 2, pose: pose(0, 1) },
      4: { kind: 'visual', name: 'body', parent: 3, pose: pose(0, 0, 1) },
    }),
  );
  return world;
}

function recordChanges(world: World): WorldChange[] {
  const changes: WorldChange[] = [];
  world.changed.on((change) => changes.push(change));
  return changes;
}

describe('the mirror', () => {
  it('knows names, kinds, children and paths', () => {
    const world = vehicleWorld();
    expect(world.children(undefined).map((entity) => entity.name)).toEqual(['course']);
    expect(world.find('vehicle::chassis')?.id).toBe(3);
    expect(world.find('vehicle::wheel')).toBeUndefined();
    expect(world.lineage(4).map((entity) => entity.name)).toEqual(['course', 'vehicle', 'chassis', 'body']);
    expect(world.subtree(2).map((entity) => entity.id)).toEqual([2, 3, 4]);
  });

  it('lays a delta over what it has', () => {
    const world = vehicleWorld();
    const changes = recordChanges(world);
    world.apply(stateOf({ 3: { pose: pose(9) } }, { full: false }));
    expect(changes).toMatchObject([{ replaced: false, structure: false }]);
    expect(changes[0]?.touched.get(3)).toEqual(new Set(['pose']));
    expect(world.entity(3)?.name).toBe('chassis');
  });

  it('notices what came, went, or was renamed', () => {
    const world = vehicleWorld();
    const changes = recordChanges(world);
    world.apply(stateOf({ 5: { kind: 'model', name: 'cone', parent: 1 } }, { full: false }));
    world.apply(stateOf({ 5: { name: 'pylon' } }, { full: false }));
    world.apply(stateOf({ 5: undefined }, { full: false }));
    expect(changes.map((change) => change.structure)).toEqual([true, true, true]);
    expect(world.entity(5)).toBeUndefined();
  });

  it('forgets everything at a full state', () => {
    const world = vehicleWorld();
    world.apply(stateOf({ 7: { kind: 'world', name: 'other' } }));
    expect([...world.entities()].map((entity) => entity.id)).toEqual([7]);
    expect(world.children(1)).toEqual([]);
  });

  it('keeps components it does not know, and survives broken ones', () => {
    const world = vehicleWorld();
    world.apply(stateOf({ 3: { wobble_state: { phase: 0.5 } } }, { full: false }));
    world.entity(3)?.setComponent('broken', new Uint8Array([0xc1]));
    expect(world.entity(3)?.component('wobble_state')).toEqual({ phase: 0.5 });
    expect(world.entity(3)?.component('broken')).toMatch(/^cannot be decoded/);
    expect(world.entity(3)?.componentNames()).toContain('wobble_state');
  });

  it('survives a ring of parents', () => {
    const world = new World();
    world.apply(stateOf({ 1: { parent: 2 }, 2: { parent: 1 } }));
    expect(world.lineage(1)).toHaveLength(2);
    expect(world.subtree(1)).toHaveLength(2);
  });
});

describe('world poses', () => {
  it('come from the chain of parents until a frame says otherwise', () => {
    const world = vehicleWorld();
    const poses = new PoseStore(world);
    expect(poses.worldPose(4).position).toEqual([1, 1, 1]);
    poses.useSet(1, [3]);
    poses.useFrame({ setId: 1, simTimeSecs: 2, poses: new Float32Array([5, 0, 0, 0, 0, 0, 1]) });
    expect(poses.worldPose(4).position).toEqual([5, 0, 1]);
    expect(poses.worldPose(2).position).toEqual([1, 0, 0]);
    expect(poses.presentSecs).toBe(2);
  });

  it('ignore frames of another set', () => {
    const poses = new PoseStore(vehicleWorld());
    poses.useSet(2, [3]);
    poses.useFrame({ setId: 1, simTimeSecs: 0, poses: new Float32Array(7) });
    poses.useFrame({ setId: 2, simTimeSecs: 0, poses: new Float32Array(14) });
    expect(poses.latest).toBeUndefined();
    expect(poses.frameCount).toBe(0);
  });
});

describe('component values', () => {
  it.each([
    [{ box: { size: [1, 2, 3] } }, { shape: 'box', size: [1, 2, 3] }],
    ['empty', { shape: 'empty' }],
    [{ plane: { normal: [0, 0, 1], size: [4, 5] } }, { shape: 'plane', normal: [0, 0, 1], size: [4, 5] }],
    [
      { mesh: { uri: 'a.stl', path: '/m/a.stl', scale: [1, 1, 1], submesh: 'lid', center_submesh: true } },
      { shape: 'mesh', source: '/m/a.stl lid centred', scale: [1, 1, 1] },
    ],
    [{ box: { size: [1, 2] } }, undefined],
    [{ blob: {} }, undefined],
    [undefined, undefined],
  ])('geometry %j', (value, expected) => {
    expect(readGeometry(value)).toEqual(expected);
  });

  it('a material needs its diffuse colour alone', () => {
    expect(readMaterial({ diffuse: [1, 0, 0, 1] })).toMatchObject({ ambient: [1, 0, 0, 1], pbr: undefined });
    expect(readMaterial({ ambient: [1, 0, 0, 1] })).toBeUndefined();
  });
});
