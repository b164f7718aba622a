import { describe, expect, it } from 'vitest';

import { stateOf } from '../../world/testing';
import { World } from '../../world/world';
import { ADDITIONS, additionsTo, draftFor, filePose, freeName, insertOf, INSERTS, linksOf, problemIn, sdfOf, type Draft } from './model';

const world = new World();
world.apply(
  stateOf({
    1: { kind: 'world', name: 'w' },
    2: { kind: 'model', name: 'arm', parent: 1 },
    3: { kind: 'link', name: 'base', parent: 2 },
    4: { kind: 'link', name: 'link', parent: 2 },
    5: { kind: 'collision', name: 'skin', parent: 3 },
    6: { kind: 'model', name: 'hand', parent: 2 },
    7: { kind: 'link', name: 'palm', parent: 6 },
  }),
);

function draft(holder: number, addition: Draft['addition'], change: Partial<Draft> = {}): Draft {
  const entity = world.entity(holder);
  if (entity === undefined) {
    throw new Error(`no entity ${holder}`);
  }
  return { ...draftFor(world, entity, addition), ...change };
}

describe('a dialog begins', () => {
  it('with a free name', () => {
    expect(draft(2, 'link').name).toBe('link_2');
    expect(draft(2, 'joint').name).toBe('joint');
    expect(freeName(world, 2, 'base')).toBe('base_2');
  });

  it('with the last two links of a model for a joint', () => {
    expect(linksOf(world, 2)).toEqual(['base', 'link', 'hand::palm']);
    expect(draft(2, 'joint')).toMatchObject({ parent: 'link', child: 'hand::palm' });
    expect(draft(6, 'joint')).toMatchObject({ parent: 'world', child: 'palm' });
  });

  it('with the collision of a link for a sensor', () => {
    expect(draft(3, 'sensor').collision).toBe('skin');
  });

  it.each(ADDITIONS)('ready to be sent: %s', (addition) => {
    const holder = additionsTo('model').includes(addition) ? 2 : 3;
    const begun = draft(holder, addition);
    expect(problemIn(world, holder, begun)).toBeUndefined();
    expect(sdfOf(begun)).toMatch(/^<\?xml[^]*<sdf version="1.12">[^]*<\/sdf>\n$/);
  });
});

it.each([
  [2, 'link', { name: ' ' }, 'It needs a name'],
  [2, 'link', { name: 'base' }, 'There is a “base” already. Choose another name'],
  [2, 'link', { massKg: 0 }, 'The mass must be greater than 0'],
  [3, 'visual', { shape: { kind: 'sphere', size: [1, 1, 1], radius: 0, length: 1 } }, 'Every length must be greater than 0'],
  [2, 'joint', { parent: 'base', child: 'base' }, 'Parent and child must be two links'],
  [2, 'joint', { child: '' }, 'A joint needs a link that it moves. Add a link first'],
  [2, 'joint', { axis: [0, 0, 0] }, 'The axis must point somewhere'],
  [2, 'joint', { axis: [0, 0, 0], jointKind: 'fixed' }, undefined],
  [3, 'sensor', { rateHz: Number.NaN }, 'The rate must be 0 or more'],
  [4, 'sensor', { sensorKind: 'contact' }, 'A contact sensor needs a collision of its link. Add one first'],
  [3, 'text', { text: ' ' }, 'Write one SDF element'],
] as const)('of %i, a %s with %j: %s', (holder, addition, change, problem) => {
  expect(problemIn(world, holder, draft(holder, addition, change as Partial<Draft>))).toBe(problem);
});

it('a text that is a document already stays as it is', () => {
  const text = '<sdf version="1.9"><link name="l"/></sdf>';
  expect(sdfOf(draft(2, 'text', { text }))).toBe(text);
});

it.each(INSERTS)('the menu makes a %s above the ground', (insert) => {
  const { sdf, heightMetres } = insertOf(insert);
  expect(sdf).toMatch(insert === 'point' || insert === 'spot' || insert === 'directional' ? /<light name=/ : /<model name=/);
  expect(heightMetres).toBeGreaterThan(0);
});

it.each([
  ['<sdf><model name="a"><pose>1 2 3 0 0 0</pose><link name="l"/></model></sdf>', [1, 2, 3, 0, 0, 0]],
  ['<sdf><model name="a"><!-- <pose>9 9 9 0 0 0</pose> --><link name="l"><pose>1 2 3 0 0 0</pose></link></model></sdf>', undefined],
  ['<sdf><model name="a"><pose degrees="true">1 2 3 0 0 90</pose><link name="l"/></model></sdf>', undefined],
  ['<robot name="r"><link name="l"/></robot>', undefined],
  ['<sdf><model name="a"><pose>1 2</pose><link name="l"/></model></sdf>', undefined],
])('the pose in %s', (text, pose) => {
  expect(filePose(text)).toEqual(pose);
});
