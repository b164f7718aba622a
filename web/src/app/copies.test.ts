import { expect, it } from 'vitest';

import { copiesAt, copiesBeside, type Original } from './copies';

function original(id: number, x: number, bounds = true): Original {
  const pose = { position: [x, 0, 0.5], rotation: [0, 0, 0, 1] } as const;
  return { id, pose, bounds: bounds ? { min: [x - 0.5, -0.5, 0], max: [x + 0.5, 0.5, 1] } : undefined };
}

function places(copies: readonly { readonly pose: { readonly position: readonly number[] } }[]): readonly (readonly number[])[] {
  return copies.map(({ pose }) => pose.position.map((value) => Number(value.toFixed(6))));
}

it('puts copies beside all of the originals, and the next ones beside those', () => {
  const originals = [original(1, 0), original(2, 2)];
  expect(places(copiesBeside(originals))).toEqual([[3.1, 0, 0.5], [5.1, 0, 0.5]]);
  expect(places(copiesBeside(originals, 2))).toEqual([[6.2, 0, 0.5], [8.2, 0, 0.5]]);
});

it('lets copies stand on a place as they stood before', () => {
  expect(places(copiesAt([original(1, 0), original(2, 2)], [10, 5, 0.7]))).toEqual([[9, 5, 1.2], [11, 5, 1.2]]);
});

it('a light without a shape is copied too', () => {
  expect(places(copiesBeside([original(1, 0, false)]))).toEqual([[0.1, 0, 0.5]]);
  expect(places(copiesAt([original(1, 0, false)], [3, 0, 0]))).toEqual([[3, 0, 0]]);
});
