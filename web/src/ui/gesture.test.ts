import { expect, it } from 'vitest';

import { Gesture } from './gesture';

it('is one until it ends', () => {
  const gesture = new Gesture();
  const first = gesture.held();
  expect(gesture.held()).toBe(first);
  gesture.end();
  expect(gesture.held()).not.toBe(first);
});

it('of key presses ends by itself', () => {
  const gesture = new Gesture();
  const first = gesture.repeated(0);
  expect(gesture.repeated(900)).toBe(first);
  expect(gesture.repeated(1800)).toBe(first);
  expect(gesture.repeated(3000)).not.toBe(first);
});
