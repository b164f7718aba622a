import { expect, it } from 'vitest';

import { clicked, inOrder, kept, moved, NOTHING, only, these, type Selection } from './selection';

const ORDER = ['a', 'b', 'c', 'd'];
const click = (selection: Selection, id: string, keys = '') =>
  clicked(selection, ORDER, id, { ctrl: keys === 'ctrl', shift: keys === 'shift' });
const shown = (selection: Selection | undefined) => `${inOrder(selection ?? NOTHING, ORDER).join('')} at ${selection?.current ?? '-'}`;

it('clicks choose one, add and take away, and stretch', () => {
  const one = click(NOTHING, 'b');
  expect(shown(one)).toBe('b at b');
  const two = click(one, 'd', 'ctrl');
  expect(shown(two)).toBe('bd at d');
  expect(shown(click(two, 'd', 'ctrl'))).toBe('b at b');
  expect(shown(click(one, 'd', 'shift'))).toBe('bcd at d');
  expect(shown(click(click(one, 'd', 'shift'), 'a', 'shift'))).toBe('ab at a');
  expect(shown(click(two, 'a'))).toBe('a at a');
  expect(shown(click(NOTHING, 'c', 'shift'))).toBe('c at c');
});

it('keys go through the rows and stop at the ends', () => {
  expect(shown(moved(NOTHING, ORDER, 'ArrowDown', false))).toBe('a at a');
  expect(shown(moved(NOTHING, ORDER, 'ArrowUp', false))).toBe('d at d');
  expect(shown(moved(only('d'), ORDER, 'ArrowDown', false))).toBe('d at d');
  expect(shown(moved(only('b'), ORDER, 'ArrowUp', true))).toBe('ab at a');
  expect(shown(moved(only('b'), ORDER, 'End', true))).toBe('bcd at d');
  expect(shown(moved(only('b'), ORDER, 'Home', false))).toBe('a at a');
  expect(moved(only('b'), ORDER, 'x', false)).toBeUndefined();
  expect(moved(NOTHING, [], 'ArrowDown', false)).toBeUndefined();
});

it('what is gone is not selected, and the next row takes over', () => {
  expect(shown(kept(these(new Set(['a', 'c']), ORDER), ORDER, ['a', 'd']))).toBe('a at a');
  expect(shown(kept(only('b'), ORDER, ['a', 'c', 'd']))).toBe('c at c');
  expect(shown(kept(only('d'), ORDER, ['a', 'b']))).toBe('b at b');
  expect(kept(only('a'), ORDER, [])).toEqual(NOTHING);
  expect(kept(only('new'), ORDER, ['a']).current).toBe('new');
  expect(shown(kept(NOTHING, ORDER, ['a']))).toBe(' at -');
});
