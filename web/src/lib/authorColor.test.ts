import { expect, it } from 'vitest';

import { authorColor } from './authorColor';

it('is the same for the same name, and a colour for any', () => {
  expect(authorColor('bob')).toBe(authorColor('bob'));
  for (const name of ['', 'bob', 'page 1', '🙂', 'x'.repeat(1000)]) {
    expect(authorColor(name)).toMatch(/^#[0-9a-f]{6}$/);
  }
});

it('tells the pages of a few hosts apart', () => {
  const names = ['page 1', 'page 2', 'page 3', 'page 1.1', 'page 2.1', 'page 3.1', 'page 4.1'];
  expect(new Set(names.map(authorColor)).size).toBe(names.length);
});

it('uses all its colours', () => {
  const colors = Array.from({ length: 500 }, (_, i) => authorColor(`author ${i}`));
  expect(new Set(colors).size).toBe(12);
});
