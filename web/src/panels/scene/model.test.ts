import { describe, expect, it } from 'vitest';

import { stateOf } from '../../world/testing';
import { World } from '../../world/world';
import { batchKey, drawSpecOf, dress, freePlace, groundPointOf, pickTarget, type DrawSpec } from './model';
import type { MeshMaterial } from './packed';

const material = (diffuse: readonly number[], more = {}) => ({
  ambient: diffuse, diffuse, specular: [0, 0, 0, 1], emissive: [0, 0, 0, 1], pbr: null, ...more,
});

function specOf(components: Record<string, unknown>): DrawSpec | undefined {
  const world = new World();
  world.apply(stateOf({ 1: { kind: 'visual', ...components } }));
  const entity = world.entity(1);
  return entity && drawSpecOf(entity);
}

const sphere = (radius: number) => ({ sphere: { radius } });

describe('draw specs', () => {
  it('spheres of all sizes and colours share a batch', () => {
    const small = specOf({ geometry: sphere(1), material: material([1, 0, 0, 1]) });
    const large = specOf({ geometry: sphere(5), material: material([0, 1, 0, 1]) });
    const ellipsoid = specOf({ geometry: { ellipsoid: { radii: [1, 2, 3] } }, material: material([0, 0, 1, 1]) });
    const keys = [small, large, ellipsoid].map((spec) => spec && batchKey(spec));
    expect(new Set(keys).size).toBe(1);
    expect(large?.scale).toEqual([5, 5, 5]);
    expect(ellipsoid?.scale).toEqual([1, 2, 3]);
  });

  it('capsules share a batch when their proportions agree', () => {
    const spec = (radius: number, length: number) => specOf({ geometry: { capsule: { radius, length } } });
    expect(spec(1, 4)?.shapeKey).toBe(spec(0.5, 2)?.shapeKey);
    expect(spec(1, 4)?.shapeKey).not.toBe(spec(1, 5)?.shapeKey);
  });

  it('transparency and alpha multiply, and nothing is drawn at none', () => {
    const visual = { transparency: 0.5, cast_shadows: false };
    const glass = specOf({ geometry: sphere(1), material: material([1, 1, 1, 0.5]), visual });
    expect(glass?.look).toMatchObject({ opacity: 0.25, castShadows: false });
    expect(specOf({ geometry: sphere(1), visual: { transparency: 1 } })).toBeUndefined();
  });

  it('shiny classic materials are smooth, and physical ones are taken as they are', () => {
    const classic = specOf({ geometry: sphere(1), material: material([1, 1, 1, 1], { specular: [1, 1, 1, 1] }) });
    expect(classic?.look.roughness).toBeCloseTo(0.4);
    const pbr = { metalness: 0.9, roughness: 0.2 };
    const metal = specOf({ geometry: sphere(1), material: material([1, 1, 1, 1], { pbr }) });
    expect(metal?.look).toMatchObject(pbr);
  });

  it('planes face along their normal and do not count for bounds', () => {
    const wall = specOf({ geometry: { plane: { normal: [1, 0, 0], size: [2, 3] } } });
    expect(wall?.countsForBounds).toBe(false);
    expect(wall?.visualFromShape.rotation[1]).toBeCloseTo(Math.SQRT1_2);
  });

  it('scripts that are known give their colour, and images are named once', () => {
    const scripted = specOf({ geometry: sphere(1), material: material([1, 1, 1, 1], { script: 'Gazebo/Grey' }) });
    expect(scripted?.color).toEqual([0.5, 0.5, 0.5]);
    const pbr = { metalness: 0, roughness: 1, albedo_map: 'wood.png' };
    const painted = specOf({ geometry: sphere(1), material: material([1, 1, 1, 1], { pbr }) });
    expect(painted?.texturing).toEqual({ name: 'wood.png', address: '/albedo/1' });
  });

  it('meshes wear what their file says, unless the visual has a material', () => {
    const geometry = { mesh: { uri: 'a.dae', path: '/a.dae', scale: [1, 1, 1] } };
    const file: MeshMaterial = {
      color: [0, 1, 0], opacity: 0.5, emissive: [0, 0, 0], texture: 2,
      metalness: undefined, roughness: 0.3, doubleSided: false, alphaCutoff: undefined,
    };
    const bare = specOf({ geometry, visual: { transparency: 0.5 } });
    const painted = specOf({ geometry, material: material([1, 0, 0, 1]) });
    if (bare === undefined || painted === undefined) {
      throw new Error('a mesh is drawn');
    }
    expect(dress(bare, file)).toMatchObject({
      color: [0, 1, 0],
      look: { opacity: 0.25, roughness: 0.3, doubleSided: false },
      texturing: { address: '/mesh/1/texture/2' },
    });
    expect(dress(painted, file)).toMatchObject({ color: [1, 0, 0], look: { opacity: 1 }, texturing: undefined });
    expect(dress(bare, undefined)).toMatchObject({ look: { opacity: 0.5, doubleSided: true } });
    expect(batchKey(bare)).not.toBe(batchKey(painted));
  });

  it('nothing to see is nothing', () => {
    expect(specOf({ geometry: 'empty' })).toBeUndefined();
    expect(specOf({})).toBeUndefined();
  });
});

describe('picking', () => {
  const world = new World();
  world.apply(
    stateOf({
      1: { kind: 'world', name: 'w' },
      2: { kind: 'model', name: 'robot', parent: 1 },
      3: { kind: 'model', name: 'hand', parent: 2 },
      4: { kind: 'link', name: 'finger', parent: 3 },
      5: { kind: 'visual', name: 'tip', parent: 4 },
      6: { kind: 'visual', name: 'stray' },
    }),
  );

  it.each([
    [undefined, 2],
    [2, 4],
    [4, 2],
    [1, 2],
  ])('with %s selected, a click selects %s', (selected, target) => {
    expect(pickTarget(world, 5, selected)).toBe(target);
  });

  it('takes what was hit when it belongs to nothing', () => {
    expect(pickTarget(world, 6, undefined)).toBe(6);
  });
});

describe('the middle of the view', () => {
  it('meets the ground', () => {
    expect(groundPointOf([0, 0, 2], [1, 0, -1], [9, 9, 9], 100)).toEqual([2, 0]);
    expect(groundPointOf([0, 0, 2], [0.333333, 0, -1], [9, 9, 9], 100)).toEqual([0.67, 0]);
  });

  it('is above what it turns about when it looks up, along the ground, or too far', () => {
    for (const direction of [[0, 0, 1], [1, 0, 0], [1, 0, -0.001]] as const) {
      expect(groundPointOf([0, 0, 2], direction, [3, 4, 5], 100)).toEqual([3, 4]);
    }
  });
});

describe('a free place', () => {
  const box = (x: number, y: number, half: number, top: number) => ({
    min: [x - half, y - half, 0] as const, max: [x + half, y + half, top] as const,
  });

  it('is the middle of the view, on what lies flat there', () => {
    expect(freePlace([1, 2], 0.4, [])).toEqual([1, 2, 0]);
    expect(freePlace([1, 2], 0.4, [box(1, 2, 3, 0.06)])).toEqual([1, 2, 0.06]);
  });

  it('is beside what stands there, and not far', () => {
    const [x, y, z] = freePlace([0, 0], 0.4, [box(0, 0, 0.5, 1), box(0, 0, 3, 0.06)]);
    expect(Math.max(Math.abs(x), Math.abs(y))).toBeGreaterThan(0.7);
    expect(Math.hypot(x, y)).toBeLessThan(1.6);
    expect(z).toBe(0.06);
  });

  it('is given up where all is full', () => {
    expect(freePlace([0, 0], 0.4, [box(0, 0, 100, 1)])).toEqual([0, 0, 0]);
  });
});
