import { expect, it } from 'vitest';

import { Reasons, whyBlocked, whyUncontrolled, whyUnmanaged } from './reasons';

const FREE = { recording: false, live: true, role: 'editor', past: false };
const VIEWER = 'You are here as a viewer, who cannot edit';

it('says what keeps a page from editing, and nothing when nothing does', () => {
  expect(whyBlocked(FREE)).toBeUndefined();
  expect(whyBlocked({ ...FREE, role: '' })).toBeUndefined();
  expect(whyBlocked({ ...FREE, recording: true, live: false })).toBe('A recording cannot be edited');
  expect(whyBlocked({ ...FREE, live: false })).toBe('Not connected to a server');
  expect(whyBlocked({ ...FREE, role: 'viewer' })).toBe(VIEWER);
  expect(whyBlocked({ ...FREE, past: true })).toContain('Resume from here');
});

it('lets the clock run for editors, also while they look at the past', () => {
  expect(whyUncontrolled(FREE)).toBeUndefined();
  expect(whyUncontrolled({ ...FREE, role: 'viewer' })).toBe(VIEWER);
  expect(whyUncontrolled({ ...FREE, live: false })).toBe('Not connected to a server');
});

it('lets admins alone write files, and everybody where there are no roles', () => {
  expect(whyUnmanaged({ live: true, role: 'admin' })).toBeUndefined();
  expect(whyUnmanaged({ live: true, role: '' })).toBeUndefined();
  expect(whyUnmanaged(FREE)).toBe('You are here as an editor. This takes the role admin');
  expect(whyUnmanaged({ live: true, role: 'viewer' })).toBe(VIEWER);
});

it('knows what each action asks for', () => {
  const against = (blocks: Partial<typeof FREE>, ...actions: readonly Parameters<Reasons['against']>[0][]) =>
    actions.filter((action) => new Reasons(() => ({ ...FREE, role: 'admin', ...blocks })).against(action) !== undefined);
  expect(against({}, 'toggle-play', 'undo', 'save', 'record', 'insert-box')).toEqual([]);
  expect(against({ role: 'viewer' }, 'toggle-play', 'step', 'undo', 'save', 'focus', 'step-back')).toEqual(['toggle-play', 'step', 'undo', 'save']);
  expect(against({ role: 'editor' }, 'toggle-play', 'undo', 'save', 'record')).toEqual(['save', 'record']);
  expect(against({ past: true }, 'toggle-play', 'step', 'undo', 'save', 'record')).toEqual(['undo', 'save']);
  expect(against({ past: true, role: 'viewer' }, 'step')).toEqual([]);
  expect(against({ recording: true }, 'toggle-play', 'step', 'record', 'paste')).toEqual(['record', 'paste']);
});
