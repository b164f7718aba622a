import { expect, it } from 'vitest';

import { itemOfKey, menuBeside, placeMenu } from './menu';

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

it('a menu stays inside the window', () => {
  const place = (x: number, y: number, side: 'left' | 'right') =>
    placeMenu({ x, y }, { width: 200, height: 300 }, { width: 1280, height: 800 }, side);
  expect(place(100, 100, 'right')).toEqual({ x: 100, y: 100 });
  expect(place(1200, 700, 'right')).toEqual({ x: 1074, y: 494 });
  expect(place(100, 100, 'left')).toEqual({ x: 6, y: 100 });
  expect(place(1000, -20, 'left')).toEqual({ x: 800, y: 6 });
});
