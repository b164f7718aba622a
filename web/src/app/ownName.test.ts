import { expect, it } from 'vitest';

import { ownGuiOf, ownNameOf } from './ownName';

it('is the one with the number of this page', () => {
  expect(ownNameOf(['page 1', 'page 12', 'page 2'], 2n)).toBe('page 2');
  expect(ownNameOf(['page 3.1', 'page 3.12', 'page 3.2'], 2n)).toBe('page 3.2');
  expect(ownNameOf(['page 2.1'], 2n)).toBeUndefined();
  expect(ownNameOf([], 2n)).toBeUndefined();
});

it('says which GUI the page belongs to', () => {
  expect([ownGuiOf('page 3.12'), ownGuiOf('page 12'), ownGuiOf('')]).toEqual([3, undefined, undefined]);
});
