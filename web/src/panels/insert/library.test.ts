import { expect, it } from 'vitest';

import type { LibraryModel } from '../../world/library';
import { countOf, matching, originOf, rowAfter } from './library';

function model(name: string, part: Partial<LibraryModel> = {}): LibraryModel {
  return { uri: `model://${name.toLowerCase()}`, name, description: '', authors: [], version: '', source: 'worlds', problem: undefined, ...part };
}

const MODELS = [
  model('Barrel', { description: 'Steel, stands on a table' }), model('Shelf', { authors: ['Ann'] }), model('Table'),
  model('Broken', { problem: 'no file' }), model('Tablet', { source: 'Retake' }),
];

function names(query: string): readonly string[] {
  return matching(MODELS, query).map(({ name }) => name);
}

it('finds models by every word about them, the likeliest first', () => {
  expect(names('')).toEqual(['Barrel', 'Shelf', 'Table', 'Tablet', 'Broken']);
  expect(names('table')).toEqual(['Table', 'Tablet', 'Barrel']);
  expect(names('  STEEL table ')).toEqual(['Barrel']);
  expect(names('ann')).toEqual(['Shelf']);
  expect(names('retake')).toEqual(['Tablet']);
  expect(names('model://shelf')).toEqual(['Shelf']);
  expect(names('bro')).toEqual(['Broken']);
  expect(names('nothing such')).toEqual([]);
});

it('goes through the rows by keys, and not past their ends', () => {
  const go = (key: string, at: number) => rowAfter(key, at, 10);
  expect(['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End'].map((key) => go(key, 3))).toEqual([4, 2, 9, 0, 0, 9]);
  expect([go('ArrowUp', 0), go('ArrowDown', 9), go('x', 3), rowAfter('ArrowDown', 0, 0)]).toEqual([0, 9, undefined, undefined]);
});

it('says where a model comes from, and how many there are', () => {
  expect(originOf(model('Table', { version: '1.0', authors: ['Ann', 'Bob'] }))).toBe('model://table · version 1.0 · by Ann, Bob');
  expect(originOf(model('Table'))).toBe('model://table');
  expect([countOf(1, 1), countOf(3, 3), countOf(0, 1), countOf(2, 9)]).toEqual(['1 model', '3 models', '0 of 1 model', '2 of 9 models']);
});
