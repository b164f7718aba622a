import { expect, it } from 'vitest';

import { hintOf } from './hints';

it('says what comes next, and nothing when that is plain to see', () => {
  expect(hintOf('rotate', { selected: 0, snapping: false, placing: undefined })).toBe('Click what you want to rotate');
  expect(hintOf('rotate', { selected: 2, snapping: false, placing: undefined })).toBeUndefined();
  expect(hintOf('snap', { selected: 0, snapping: false, placing: undefined })).toBe('Click a place on what is to move');
  expect(hintOf('snap', { selected: 1, snapping: true, placing: undefined })).toBe('Click the place that it goes to');
  expect(hintOf('snap', { selected: 1, snapping: true, placing: 'box' })).toBe('Click where the box goes');
  expect(hintOf('select', { selected: 1, snapping: false, placing: undefined })).toBeUndefined();
});
