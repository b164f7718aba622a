import { expect, it } from 'vitest';

import { historyWith } from '../world/testing';
import { insertMenu, insertOfAction, isInsert, menusOf, type MenuState } from './menus';

const [entry] = historyWith(['a']).undo;
const nothing: MenuState = {
  blocked: undefined, unsavable: undefined, unrecordable: undefined, recording: false, nextUndo: undefined, nextRedo: undefined, selected: undefined, deletable: false, seen: 'nothing', hidden: 0,
  copyable: false, pastable: false, renamable: false, darkTheme: true, dock: undefined, dockLarge: false,
};

const GONE = { blocked: 'Not connected', unsavable: 'Not connected', unrecordable: 'Not connected' };

const lines = (state: MenuState, menu: string) =>
  menusOf(state)
    .find(({ label }) => label === menu)
    ?.groups.flat()
    .map(({ label, enabled, checked }) => `${label}${enabled ? '' : ' (grey)'}${checked === true ? ' (on)' : ''}`);

it('names what would be undone, redone and deleted', () => {
  const state = { ...nothing, nextUndo: entry, nextRedo: entry, selected: 'vehicle', deletable: true, copyable: true, pastable: true, renamable: true };
  expect(lines(state, 'Edit')).toEqual(['Undo Do a', 'Redo Do a', 'Copy vehicle', 'Paste', 'Duplicate vehicle', 'Rename vehicle', 'Delete vehicle', 'Select nothing']);
});

it('saves, inserts and records while there is a server', () => {
  expect(lines(nothing, 'File')).toEqual(['Save world', 'Insert model from library…', 'Insert model from file…', 'Record', 'Screenshot']);
  expect(lines({ ...nothing, ...GONE }, 'File')).toEqual(['Save world (grey)', 'Insert model from library… (grey)', 'Insert model from file… (grey)', 'Record (grey)', 'Screenshot']);
  expect(lines({ ...nothing, recording: true }, 'File')?.[3]).toBe('End recording');
});

it('greys what cannot be done now', () => {
  const grey = ['Undo (grey)', 'Redo (grey)', 'Copy (grey)', 'Paste (grey)', 'Duplicate (grey)', 'Rename (grey)', 'Delete (grey)', 'Select nothing (grey)'];
  expect(lines(nothing, 'Edit')).toEqual(grey);
  expect(lines({ ...nothing, ...GONE, nextUndo: entry }, 'Edit')?.[0]).toBe('Undo Do a (grey)');
  expect(lines({ ...nothing, selected: 'chassis' }, 'Edit')?.[6]).toBe('Delete (grey)');
});

it('says why', () => {
  const reasons = (menu: string) => menusOf({ ...nothing, blocked: 'the past', unsavable: 'no admin' }).find(({ label }) => label === menu)?.groups.flat().map(({ reason }) => reason);
  expect(reasons('File')).toEqual(['no admin', 'the past', 'the past', undefined, undefined]);
  expect(reasons('Edit')).toEqual(['the past', 'the past', undefined, 'the past', 'the past', 'the past', 'the past', undefined]);
});

it('hides what is selected, and shows it again', () => {
  expect(lines({ ...nothing, selected: 'cone', seen: 'seen' }, 'View')?.slice(2, 4)).toEqual(['Hide cone', 'Show all that is hidden (grey)']);
  expect(lines({ ...nothing, selected: 'cone', seen: 'hidden', hidden: 1 }, 'View')?.slice(2, 4)).toEqual(['Show cone', 'Show all that is hidden']);
  expect(lines(nothing, 'View')?.[2]).toBe('Hide (grey)');
});

it('marks the tab that shows', () => {
  expect(lines({ ...nothing, dock: 'history' }, 'View')).toContain('History (on)');
  expect(lines({ ...nothing, dock: 'motion' }, 'View')).toContain('Motion (on)');
  expect(lines({ ...nothing, darkTheme: false }, 'View')).toContain('Dark theme');
});

it('inserts shapes, lights and files while there is a server', () => {
  const labels = (blocked?: string) => insertMenu(blocked).flat().map(({ label, enabled }) => `${label}${enabled ? '' : ' (grey)'}`);
  expect(labels()).toEqual([
    'Box', 'Sphere', 'Cylinder', 'Capsule', 'Cone', 'Ellipsoid', 'Point light', 'Spot light', 'Directional light', 'Model from library…', 'Model from SDF or URDF file…',
  ]);
  expect(labels('Not connected')[0]).toBe('Box (grey)');
  expect(insertOfAction('insert-cone')).toBe('cone');
  expect([isInsert('insert-cone'), isInsert('insert-file'), isInsert('insert-library'), isInsert('undo')]).toEqual([true, false, false, false]);
});
