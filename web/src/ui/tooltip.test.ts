import { expect, it } from 'vitest';

import { tooltipOf } from './tooltip';

it('tells the key, and why it cannot be done', () => {
  expect(tooltipOf('Play')).toBe('Play');
  expect(tooltipOf('Play', 'Space')).toBe('Play (Space)');
  expect(tooltipOf('Reset', undefined, 'Not connected')).toBe('Reset\nNot connected');
  expect(tooltipOf('Play', 'Space', 'Not connected')).toBe('Play (Space)\nNot connected');
});
