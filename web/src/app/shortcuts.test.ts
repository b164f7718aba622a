import { expect, it } from 'vitest';

import { actionOf, SHORTCUTS } from './shortcuts';

const press = (key: string, target: 'text' | 'control' | 'elsewhere' = 'elsewhere', modified = false) =>
  actionOf({ key, target, modified });

it('keys do what the help says', () => {
  expect(press(' ')).toBe('toggle-play');
  expect(press('.')).toBe('step');
  expect(press('F')).toBe('focus');
  expect(press('x')).toBeUndefined();
});

it('typing and the keys of controls come first', () => {
  expect(press(' ', 'text')).toBeUndefined();
  expect(press('Delete', 'text')).toBeUndefined();
  expect(press(' ', 'control')).toBeUndefined();
  expect(press('f', 'control')).toBe('focus');
  expect(press('f', 'elsewhere', true)).toBeUndefined();
});

it('no key does two things', () => {
  const keys = SHORTCUTS.flatMap((shortcut) => shortcut.keys);
  expect(new Set(keys).size).toBe(keys.length);
});
