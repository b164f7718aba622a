import { expect, it } from 'vitest';

import { historyWith } from '../world/testing';
import { insertMenu, insertOfAction, isInsert, menusOf, type MenuState } from './menus';

const [entry] = historyWith(['a']).undo;
const nothing: MenuState = {
  live: true, nextUndo: undefined, nextRedo: undefined, selected: undefined, deletable: false,
  copyable: false, renamable: false, darkTheme: true, dock: undefined, dockLarge: false,
};

const lines = (state: MenuState, menu: string) =>
  menusOf(state)
    .find(({ label }) => label === menu)
    ?.groups.flat()
    .map(({ label, enabled, checked }) => `${label}${enabled ? '' : ' (grey)'}${checked === true ? ' (on)' : ''}`);

it('names what would be undone, redone and deleted', () => {
  const state = { ...nothing, nextUndo: entry, nextRedo: entry, selected: 'vehicle', deletable: true, copyable: true, renamable: true };
  expect(lines(state, 'Edit')).toEqual(['Undo Do a', 'Redo Do a', 'Duplicate vehicle', 'Rename vehicle', 'Delete vehicle', 'Select nothing']);
});

it('greys what cannot be done now', () => {
  const grey = ['Undo (grey)', 'Redo (grey)', 'Duplicate (grey)', 'Rename (grey)', 'Delete (grey)', 'Select nothing (grey)'];
  expect(lines(nothing, 'Edit')).toEqual(grey);
  expect(lines({ ...nothing, live: false, nextUndo: entry }, 'Edit')?.[0]).toBe('Undo Do a (grey)');
  expect(lines({ ...nothing, selected: 'chassis' }, 'Edit')?.[4]).toBe('Delete (grey)');
});

it('marks the tab that shows', () => {
  expect(lines({ ...nothing, dock: 'history' }, 'View')).toContain('History (on)');
  expect(lines({ ...nothing, darkTheme: false }, 'View')).toContain('Dark theme');
});

it('inserts shapes, lights and files while there is a server', () => {
  const labels = (live: boolean) => insertMenu(live).flat().map(({ label, enabled }) => `${label}${enabled ? '' : ' (grey)'}`);
  expect(labels(true)).toEqual([
    'Box', 'Sphere', 'Cylinder', 'Capsule', 'Cone', 'Ellipsoid', 'Point light', 'Spot light', 'Directional light', 'Model from SDF or URDF file…',
  ]);
  expect(labels(false)[0]).toBe('Box (grey)');
  expect(insertOfAction('insert-cone')).toBe('cone');
  expect([isInsert('insert-cone'), isInsert('insert-file'), isInsert('undo')]).toEqual([true, false, false]);
});
