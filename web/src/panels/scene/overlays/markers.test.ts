import { expect, it } from 'vitest';

import { stateOf } from '../../../world/testing';
import { World } from '../../../world/world';
import { jointLabels, markersOf, type Overlay } from './markers';

const AT_REST = { position: [0, 0, 0], rotation: [0, 0, 0, 1] };

function joint(kind: string, axes: number): Record<string, unknown> {
  return { kind, child: 3, child_from_joint: AT_REST, axes: Array.from({ length: axes }, () => ({ xyz: [0, 1, 0] })) };
}

const world = new World();
world.apply(stateOf({
  1: { kind: 'world', name: 'w' },
  2: { kind: 'model', name: 'm', parent: 1 },
  3: { kind: 'link', name: 'l', parent: 2, inertial: { mass_kg: 12, moments: [2, 2, 2], products: [0, 0, 0], link_from_com: { position: [0, 0, 0.5], rotation: [0, 0, 0, 1] } } },
  4: { kind: 'link', name: 'weightless', parent: 2 },
  10: { kind: 'model', name: 'table', parent: 1, model: { is_static: true } },
  11: { kind: 'link', name: 'top', parent: 10, inertial: { mass_kg: 1, moments: [1, 1, 1], products: [0, 0, 0], link_from_com: AT_REST } },
  5: { kind: 'joint', name: 'turns', parent: 2, joint: joint('revolute', 1) },
  6: { kind: 'joint', name: 'slides', parent: 2, joint: joint('prismatic', 1) },
  7: { kind: 'joint', name: 'holds', parent: 2, joint: joint('fixed', 0) },
  8: { kind: 'joint', name: 'both', parent: 2, joint: joint('universal', 2) },
  9: { kind: 'joint', name: 'broken', parent: 2, joint: 'what' },
}));

function shapes(...on: Overlay[]): readonly string[] {
  return markersOf(world, new Set(on)).map(({ shape, entity }) => `${shape} on ${entity}`);
}

it('shows only what is on', () => {
  expect(shapes()).toEqual([]);
  expect(shapes('frames')).toEqual(['triad on 2', 'triad on 3', 'triad on 4', 'triad on 10', 'triad on 11']);
});

it('a cube of 12 kg with 2 kg m² has edges of a metre, about its centre of mass', () => {
  const [box] = markersOf(world, new Set<Overlay>(['inertia']));
  box?.size.forEach((edge) => {
    expect(edge).toBeCloseTo(1);
  });
  expect(box?.pose.position).toEqual([0, 0, 0.5]);
  expect(shapes('centres')).toEqual(['ball on 3']);
});

it('shows joints by what they do', () => {
  expect(shapes('joints')).toEqual([
    'arrow on 3', 'ring on 3', 'rod on 3', 'box on 3', 'arrow on 3', 'ring on 3', 'arrow on 3', 'ring on 3',
  ]);
  expect(jointLabels(world).map(({ text }) => text)).toEqual(['turns · revolute', 'slides · prismatic', 'holds · fixed', 'both · universal']);
});
