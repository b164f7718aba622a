import { expect, it } from 'vitest';

import { actionOf, needOf, SHORTCUTS, shownKeyOf, type KeyPress } from './shortcuts';

const press = (key: string, change: Partial<KeyPress> = {}) =>
  actionOf({ key, target: 'elsewhere', ctrl: false, shift: false, alt: false, ...change });

it('keys do what the help says', () => {
  expect(press(' ')).toBe('toggle-play');
  expect(press('.')).toBe('step');
  expect(press(',')).toBe('step-back');
  expect(press('l')).toBe('record');
  expect(press('t')).toBe('tool-translate');
  expect(press('n')).toBe('show-motion');
  expect(press('F', { shift: true })).toBe('focus');
  expect(press('?', { shift: true })).toBe('help');
  expect(press('x')).toBeUndefined();
  expect(press('s', { ctrl: true })).toBe('save');
  expect(press('s', { ctrl: true, target: 'text' })).toBe('save');
  expect(press('s')).toBe('tool-scale');
});

it('undo and redo have their usual keys, with Caps Lock too', () => {
  expect(press('z', { ctrl: true })).toBe('undo');
  expect(press('Z', { ctrl: true })).toBe('undo');
  expect(press('Z', { ctrl: true, shift: true })).toBe('redo');
  expect(press('z', { ctrl: true, shift: true })).toBe('redo');
  expect(press('y', { ctrl: true })).toBe('redo');
  expect(press('z')).toBeUndefined();
  expect(press('z', { ctrl: true, alt: true })).toBeUndefined();
  expect(press('z', { ctrl: true, target: 'control' })).toBe('undo');
});

it('typing and the keys of controls come first', () => {
  expect(press(' ', { target: 'text' })).toBeUndefined();
  expect(press('Delete', { target: 'text' })).toBeUndefined();
  expect(press('z', { target: 'text', ctrl: true })).toBeUndefined();
  expect(press(' ', { target: 'control' })).toBeUndefined();
  expect(press('f', { target: 'control' })).toBe('focus');
  expect(press('f', { ctrl: true })).toBeUndefined();
});

it('in a field that nobody types in, only keys with Ctrl go to the page', () => {
  expect(press('z', { target: 'field', ctrl: true })).toBe('undo');
  expect(press('d', { ctrl: true })).toBe('duplicate');
  for (const key of ['f', ' ', 'Delete', '.', 'Escape', 'Home', 'F2']) {
    expect(press(key, { target: 'field' })).toBeUndefined();
  }
});

it('no key does two things', () => {
  const keys = SHORTCUTS.flatMap((shortcut) => shortcut.keys);
  expect(new Set(keys).size).toBe(keys.length);
});

it('menus write keys as the help does', () => {
  expect(shownKeyOf('redo')).toBe('Shift+Ctrl+Z');
  expect(shownKeyOf('show-history')).toBeUndefined();
});

it('what changes the world is told from what only looks', () => {
  for (const action of ['insert-box', 'insert-file', 'undo', 'delete', 'paste', 'tool-translate', 'tool-align'] as const) {
    expect(needOf(action)).toBe('edit');
  }
  for (const action of ['step-back', 'focus', 'show-plots', 'show-motion', 'help', 'copy', 'tool-measure', 'tool-select'] as const) {
    expect(needOf(action)).toBe('nothing');
  }
  expect([needOf('toggle-play'), needOf('step'), needOf('record'), needOf('save')]).toEqual(['control', 'control', 'record', 'save']);
});
