import { expect, it } from 'vitest';

import { uuidV7 } from './uuid';

it('has the version, the variant and the time', () => {
  const id = uuidV7(0x0123_4567_89ab);
  expect(id).toMatch(/^01234567-89ab-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(uuidV7()).not.toBe(uuidV7());
});
