import { expect, it } from 'vitest';

import { itemOfKey, menuBeside } from './menu';

const LABELS = ['Undo', 'Redo', 'Delete', 'Deselect'];

it.each([
  ['ArrowDown', -1, 0],
  ['ArrowDown', 3, 0],
  ['ArrowUp', 0, 3],
  ['ArrowUp', -1, 3],
  ['Home', 2, 0],
  ['End', 0, 3],
  ['d', 0, 2],
  ['D', 2, 3],
  ['d', 3, 2],
  ['x', 0, undefined],
  [' ', 0, undefined],
  ['Tab', 0, undefined],
])('%s from item %i leads to %s', (key, at, to) => {
  expect(itemOfKey(key, at, LABELS)).toBe(to);
});

it('keys lead nowhere in an empty menu', () => {
  expect(['ArrowDown', 'ArrowUp', 'Home', 'End', 'a'].map((key) => itemOfKey(key, -1, []))).toEqual(Array(5).fill(undefined));
});

it('arrows go round the menu bar', () => {
  expect([menuBeside('ArrowRight', 2, 3), menuBeside('ArrowLeft', 0, 3), menuBeside('End', 0, 3)]).toEqual([0, 2, 2]);
  expect(menuBeside('ArrowDown', 0, 3)).toBeUndefined();
});
