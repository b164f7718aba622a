import { expect, it } from 'vitest';

import { groundUnder, placeFor, standInOf } from './place';

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

it('shows shapes as large as they are, and no size where none is known', () => {
  const shape = { kind: 'box', size: [0.4, 0.2, 0.1], radius: 0, length: 0 } as const;
  expect(standInOf({ shape, heightMetres: 0.05, widthMetres: 0.4 })).toEqual({ kind: 'shape', geometry: { shape: 'box', size: [0.4, 0.2, 0.1] } });
  // A model of the library or of a file: a shelf is no cube of a metre, and neither is a ball.
  expect(standInOf({ shape: undefined, heightMetres: 0, widthMetres: 1 })).toEqual({ kind: 'spot' });
  expect(standInOf({ shape: undefined, heightMetres: 2, widthMetres: 0.1 })).toEqual({ kind: 'frame', geometry: { shape: 'box', size: [0.3, 0.3, 0.3] } });
});
