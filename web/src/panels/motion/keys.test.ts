import { expect, it } from 'vitest';

import { panelKeyOf, type PanelPress } from './keys';

const press = (key: string, change: Partial<PanelPress> = {}) =>
  panelKeyOf({ key, ctrl: false, shift: false, alt: false, target: 'elsewhere', ...change });

it('undo and redo are about the draft, in fields at rest too', () => {
  expect(press('z', { ctrl: true })).toBe('undo');
  expect(press('Z', { ctrl: true, shift: true })).toBe('redo');
  expect(press('y', { ctrl: true, target: 'field' })).toBe('redo');
  expect(press('z', { ctrl: true, target: 'typing' })).toBeUndefined();
  expect(press('z')).toBeUndefined();
});

it('rows are deleted and copied where nobody edits', () => {
  expect([press('Delete'), press('c', { ctrl: true }), press('v', { ctrl: true }), press('a', { ctrl: true }), press('Escape')]).toEqual([
    'delete', 'copy', 'paste', 'all', 'nothing',
  ]);
  for (const target of ['field', 'typing'] as const) {
    expect([press('Delete', { target }), press('c', { ctrl: true, target }), press('Escape', { target })]).toEqual([undefined, undefined, undefined]);
  }
  expect(press('c', { ctrl: true, alt: true })).toBeUndefined();
});

it('leaves other keys to the page', () => {
  expect([press(' '), press('p'), press('c'), press('s', { ctrl: true })]).toEqual([undefined, undefined, undefined, undefined]);
});
