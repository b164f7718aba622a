import { expect, it } from 'vitest';

import { errorText } from './errorText';

it('says what an error says, and shows whatever else was thrown', () => {
  expect(errorText(new Error('no such joint'))).toBe('no such joint');
  expect(errorText('gone')).toBe('gone');
});
