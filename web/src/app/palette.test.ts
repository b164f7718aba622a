import { expect, it } from 'vitest';

import { stateOf } from '../world/testing';
import { World } from '../world/world';
import { actionsOf, found, MOST_FOUND } from './palette';

const world = new World();
world.apply(stateOf({
  1: { kind: 'world', name: 'course' },
  2: { kind: 'model', name: 'cone_1', parent: 1 },
  3: { kind: 'link', name: 'cone_link', parent: 2 },
  4: { kind: 'model', name: 'car', parent: 1 },
}));

const item = (action: 'undo' | 'insert-cone' | 'help', label: string, enabled = true) => ({ action, label, enabled });
const actions = actionsOf(
  [{ label: 'Edit', groups: [[item('undo', 'Undo Move cone_1', false)]] }, { label: 'Help', groups: [[item('help', 'Keys and mouse')]] }],
  [[item('insert-cone', 'Cone')]],
  (action) => (action === 'tool-scale' ? 'The past cannot be edited' : undefined),
);
const labels = (query: string) => found(query, actions, world.entities()).map(({ label }) => label);

it('begins with what can be done, and says nothing of entities', () => {
  expect(labels('').slice(0, 3)).toEqual(['Play or pause', 'One step', 'One step back']);
  expect(labels('')).not.toContain('car');
  expect(labels('').length).toBeLessThanOrEqual(MOST_FOUND);
});

it('finds actions and entities by their words, what cannot be done last', () => {
  expect(labels('con')).toEqual(['Cone', 'cone_1', 'cone_link', 'Undo Move cone_1']);
  expect(labels('insert con')).toEqual(['Cone']);
  expect(labels('move cone')).toEqual(['Undo Move cone_1']);
  expect(labels('nothing like it')).toEqual([]);
});

it('has what is in two menus once', () => {
  const twice = actionsOf([{ label: 'File', groups: [[item('insert-cone', 'Insert a cone')]] }], [[item('insert-cone', 'Cone')]], () => undefined);
  expect(found('cone', twice, []).map(({ label }) => label)).toEqual(['Insert a cone']);
});

it('says why something cannot be done', () => {
  expect(found('scale', actions, [])).toEqual([expect.objectContaining({ enabled: false, reason: 'The past cannot be edited', shortcut: 'S' })]);
});
