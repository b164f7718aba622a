import { expect, it } from 'vitest';

import { stateOf } from '../world/testing';
import { World } from '../world/world';
import { additionMenu, additionOf, entityMenu, type Possibilities } from './entityMenu';

const KINDS = ['world', 'model', 'link', 'joint', 'visual'] as const;
const world = new World();
world.apply(stateOf(Object.fromEntries(KINDS.map((kind, i) => [i + 1, { kind, name: kind }]))));

function labels(kind: (typeof KINDS)[number], possibilities: Possibilities = { blocked: undefined, renamable: true, hidden: false }): string[] {
  const entity = world.entity(KINDS.indexOf(kind) + 1);
  return entity === undefined ? [] : entityMenu(entity, possibilities).flat().map(({ label, enabled }) => (enabled ? label : `(${label})`));
}

it('offers what the kind can hold', () => {
  expect(labels('model')).toEqual(['Add link…', 'Add joint…', 'Add model…', 'Add SDF text…', 'Focus', 'Hide', 'Rename', 'Duplicate', 'Delete']);
  expect(labels('link')).toEqual(['Add collision…', 'Add visual…', 'Add sensor…', 'Add light…', 'Add SDF text…', 'Focus', 'Hide', 'Rename', 'Delete']);
  expect(labels('joint')).toEqual(['Focus', 'Rename', 'Delete']);
  expect(labels('world')).toEqual(['Add SDF text…', 'Focus', 'Rename']);
});

it('offers nothing that changes the world while there is no server', () => {
  expect(labels('visual', { blocked: 'Not connected', renamable: true, hidden: false })).toEqual(['Focus', 'Hide', '(Rename)', '(Delete)']);
  expect(labels('visual', { blocked: undefined, renamable: false, hidden: true })).toEqual(['Focus', 'Show', '(Rename)', 'Delete']);
});

it('has no menu to add where nothing can be added', () => {
  const joint = world.entity(4);
  expect(joint && additionMenu(joint, undefined)).toEqual([]);
  expect(additionOf('add-sensor')).toBe('sensor');
  expect(additionOf('focus')).toBeUndefined();
});
