import { expect, it } from 'vitest';

import { angleBetween, drawnOf, placesOf, readingOf } from './measure';

it('reads a distance with its parts', () => {
  expect(readingOf([[0, 0, 0], [3, -4, 0]])).toEqual({ result: '5.000 m', parts: 'Δx 3.000  Δy −4.000  Δz 0.000 m' });
  expect(readingOf([[0, 0, 0], [-0.00001, 0, 0]])?.parts).toBe('Δx 0.000  Δy 0.000  Δz 0.000 m');
  expect(readingOf([[0, 0, 0]])).toBeUndefined();
});

it('reads the angle at the second place', () => {
  expect(readingOf([[2, 0, 0], [0, 0, 0], [0, 3, 0]])).toEqual({ result: '90.00°', parts: '2.000 m and 3.000 m' });
  expect(angleBetween([1, 0, 0], [-1, 0, 0])).toBeCloseTo(Math.PI);
  expect(angleBetween([0, 0, 0], [1, 0, 0])).toBe(0);
  expect([placesOf('distance'), placesOf('angle')]).toEqual([2, 3]);
});

it('draws the way along the axes of a distance, and none of an angle', () => {
  const flat = ([x, y]: readonly number[]): readonly [number, number] => [(x ?? 0) * 10, (y ?? 0) * 10];
  const distance = drawnOf([[0, 0, 0], [1, 2, 3]], flat);
  expect(distance.lines.map(({ tone }) => tone)).toEqual(['x', 'y', 'z', 'main']);
  expect(distance.label?.at).toEqual([5, 10]);
  const angle = drawnOf([[1, 0, 0], [0, 0, 0], [0, 1, 0]], flat);
  expect(angle.lines.map(({ tone }) => tone)).toEqual(['main']);
  expect(angle.label?.at).toEqual([0, 0]);
});

it('draws nothing of what is behind the eye', () => {
  expect(drawnOf([[0, 0, 0], [1, 0, 0]], () => undefined)).toEqual({ dots: [], lines: [], label: undefined });
});
