import { expect, it } from 'vitest';

import { describeAlignment, offsetsOf, type Alignment, type Thing } from './align';

const THINGS: readonly Thing[] = [
  { id: 1, bounds: { min: [0, 0, 0], max: [1, 1, 1] } },
  { id: 2, bounds: { min: [5, 2, 0], max: [7, 4, 3] } },
  { id: 3, bounds: { min: [-4, 8, 1], max: [-3, 9, 2] } },
];

function alignment(change: Partial<Alignment>): Alignment {
  return { axis: 'x', edge: 'min', to: 'first', reverse: false, ...change };
}

it('brings edges and middles to those of the first or the last', () => {
  expect([...offsetsOf(THINGS, alignment({}))]).toEqual([[2, [-5, 0, 0]], [3, [4, 0, 0]]]);
  expect([...offsetsOf(THINGS, alignment({ axis: 'y', edge: 'max', to: 'last' }))]).toEqual([[1, [0, 8, 0]], [2, [0, 5, 0]]]);
  expect([...offsetsOf(THINGS, alignment({ axis: 'z', edge: 'centre' }))]).toEqual([[2, [0, 0, -1]], [3, [0, 0, -1]]]);
});

it('reversed, it puts things against the outside of the edge', () => {
  expect([...offsetsOf(THINGS, alignment({ edge: 'max', reverse: true }))]).toEqual([[2, [-4, 0, 0]], [3, [5, 0, 0]]]);
});

it('one thing alone stays', () => {
  expect(offsetsOf(THINGS.slice(0, 1), alignment({})).size).toBe(0);
  expect(offsetsOf([], alignment({})).size).toBe(0);
});

it('tells what went where', () => {
  expect(describeAlignment(['a', 'b'], alignment({}))).toBe('Align b to a (x min)');
  expect(describeAlignment(['a', 'b', 'c', 'd'], alignment({ to: 'last', edge: 'centre' }))).toBe('Align 3 entities to d (x centre)');
});
