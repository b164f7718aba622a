import { expect, it } from 'vitest';

import { axesOf } from './gizmo';

it('from above, x is right, y is up and z comes nearest', () => {
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  const axes = axesOf(identity);
  expect(axes.map(({ name }) => name)).toEqual(['X', 'Y', 'Z']);
  expect(axes.map(({ x, y }) => [x, y + 0])).toEqual([[1, 0], [0, -1], [0, 0]]);
});
