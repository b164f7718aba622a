import { BoxGeometry, InstancedMesh, Matrix4, Mesh, MeshBasicMaterial, Vector3, type Object3D } from 'three';
import { describe, expect, it } from 'vitest';

import { PoseStore } from '../../world/poses';
import { stateOf } from '../../world/testing';
import { World } from '../../world/world';
import type { Slot } from './batches';
import { baseFromShape, Ghost, linkPose, poseWithin } from './ghost';
import { drawSpecOf } from './model';

const pose = (x: number, y: number, z: number, rotation = [0, 0, 0, 1]) => ({ position: [x, y, z], rotation });
const QUARTER_ABOUT_Z = [0, 0, Math.SQRT1_2, Math.SQRT1_2] as const;

/** A robot of a base and an arm; the arm has a box that is 0.5 m along the arm's x. */
function robot(): { world: World; poses: PoseStore } {
  const world = new World();
  world.apply(stateOf({
    1: { kind: 'model', pose: pose(10, 0, 0) },
    2: { kind: 'link', parent: 1, pose: pose(0, 0, 1) },
    3: { kind: 'link', parent: 1, pose: pose(0, 0, 2) },
    4: { kind: 'visual', parent: 3, pose: pose(0.5, 0, 0), geometry: { box: { size: [1, 2, 3] } } },
    5: { kind: 'collision', parent: 3, pose: pose(0.5, 0, 0), geometry: { box: { size: [1, 2, 3] } } },
  }));
  return { world, poses: new PoseStore(world) };
}

function slotsIn(world: World): (id: number) => readonly Slot[] {
  const mesh = new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), 1);
  return (id) => {
    const entity = world.entity(id);
    const spec = entity && drawSpecOf(entity);
    return spec === undefined ? [] : [{ visual: id, mesh, index: 0, spec, scale: spec.scale }];
  };
}

/** Where the middles and a corner of the drawn parts are in the world. */
function drawn(group: Object3D): readonly (readonly number[])[] {
  group.updateMatrixWorld(true);
  return group.children.filter(({ visible }) => visible && group.visible).map((mesh) =>
    new Vector3(0.5, 0, 0).applyMatrix4(mesh.matrixWorld).toArray().map((value) => Math.round(value * 1e6) / 1e6));
}

describe('poses of a ghost', () => {
  it('reads the pose of each link, and none from what is no pose', () => {
    const poses = new Float32Array([1, 2, 3, 0, 0, 0, 2, Number.NaN, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 2]);
    expect(linkPose(poses, 0)).toEqual({ position: [1, 2, 3], rotation: [0, 0, 0, 1] });
    expect([1, 2, 3, 4].map((place) => linkPose(poses, place))).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('finds where a visual is on its link', () => {
    expect(poseWithin(robot().world, 3, 4).position).toEqual([0.5, 0, 0]);
    expect(poseWithin(robot().world, 1, 4).position).toEqual([0.5, 0, 2]);
  });

  it('puts a shape where its link would be', () => {
    const linkFromShape = new Matrix4().makeTranslation(1, 0, 0);
    const matrix = baseFromShape({ position: [0, 0, 5], rotation: QUARTER_ABOUT_Z }, linkFromShape, new Matrix4());
    const middle = new Vector3().applyMatrix4(matrix);
    expect(middle.distanceTo(new Vector3(0, 1, 5))).toBeCloseTo(0);
  });
});

describe('Ghost', () => {
  it('draws each visual twice, at the pose that its link would have', () => {
    const { world, poses } = robot();
    const ghost = new Ghost(world, poses, slotsIn(world));
    // The arm turned by a quarter: its box, 1 m long from 0 to 1 along x, now lies along y.
    ghost.show({ base: 2, links: [2, 3], poses: new Float32Array([0, 0, 0, 0, 0, 0, 1, 0, 0, 1, ...QUARTER_ABOUT_Z]) });
    expect(drawn(ghost.group)).toEqual([[10, 1, 2], [10, 1, 2]]);
  });

  it('goes along with a base that moves, and takes other poses without new meshes', () => {
    const { world, poses } = robot();
    const ghost = new Ghost(world, poses, slotsIn(world));
    ghost.show({ base: 2, links: [3], poses: new Float32Array([0, 0, 1, 0, 0, 0, 1]) });
    const before = ghost.group.children[0];
    poses.useSet(1, [2]);
    poses.useFrame({ setId: 1, simTimeSecs: 0, poses: new Float32Array([20, 0, 0, 0, 0, 0, 1]) });
    ghost.follow();
    expect(drawn(ghost.group)[0]).toEqual([21, 0, 1]);
    ghost.show({ base: 2, links: [3], poses: new Float32Array([0, 0, 4, 0, 0, 0, 1]) });
    expect(drawn(ghost.group)[0]).toEqual([21, 0, 4]);
    expect(ghost.group.children[0]).toBe(before);
  });

  it('is not seen without a pose, without its base, or where a pose is broken', () => {
    const { world, poses } = robot();
    const ghost = new Ghost(world, poses, slotsIn(world));
    ghost.show({ base: 2, links: [3], poses: new Float32Array(7) });
    expect(drawn(ghost.group)).toEqual([]);
    ghost.show({ base: 99, links: [3], poses: new Float32Array([0, 0, 0, 0, 0, 0, 1]) });
    expect(drawn(ghost.group)).toEqual([]);
    ghost.show(undefined);
    expect(ghost.group.children).toEqual([]);
  });

  it('casts no shadow and writes its tint over the nearest surface alone', () => {
    const { world, poses } = robot();
    const ghost = new Ghost(world, poses, slotsIn(world));
    ghost.show({ base: 2, links: [3], poses: new Float32Array([0, 0, 1, 0, 0, 0, 1]) });
    const meshes = ghost.group.children.filter((child) => child instanceof Mesh);
    expect(meshes.map(({ castShadow, renderOrder }) => [castShadow, renderOrder])).toEqual([[false, 50], [false, 51]]);
  });
});
