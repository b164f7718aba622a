import { expect, it } from 'vitest';

import { groundUnder, placeFor } from './place';

const BOX = { heightMetres: 0.2, widthMetres: 0.4 };
const DOWN = { origin: [1.03, 2.06, 5], direction: [0, 0, -1] } as const;
const SKY = { origin: [0, 0, 1], direction: [0, 0.6, 0.8] } as const;

it('stands on the ground where there is nothing else', () => {
  expect(placeFor(BOX, DOWN, undefined, undefined)).toEqual([1.03, 2.06, 0.2]);
  expect(placeFor(BOX, DOWN, undefined, 0.1)).toEqual([1, 2.1, 0.2]);
  expect(placeFor(BOX, SKY, undefined, undefined)).toBeUndefined();
});

it('stands on what faces up, hangs below what faces down, leans against walls', () => {
  expect(placeFor(BOX, DOWN, { point: [1, 2, 0.75], normal: [0, 0, 1] }, undefined)).toEqual([1, 2, 0.95]);
  expect(placeFor(BOX, SKY, { point: [0, 3, 5], normal: [0, 0, -1] }, undefined)).toEqual([0, 3, 4.8]);
  expect(placeFor(BOX, SKY, { point: [0, 3, 0.1], normal: [0, -1, 0] }, undefined)).toEqual([0, 2.8, 0.2]);
});

it('does not go beyond the horizon', () => {
  expect(groundUnder({ origin: [0, 0, 1], direction: [1, 0, -0.001] })).toBeUndefined();
});
