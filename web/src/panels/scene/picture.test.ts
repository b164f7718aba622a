import { expect, it } from 'vitest';

import { pictureName } from './picture';

it('names pictures by world and time, without what files cannot be called', () => {
  const at = new Date(2026, 0, 5, 7, 8, 9);
  expect(pictureName('cones', at)).toBe('cones_2026-01-05_07-08-09.png');
  expect(pictureName('my/world: ü', at)).toBe('my_world_ü_2026-01-05_07-08-09.png');
  expect(pictureName('', at)).toBe('world_2026-01-05_07-08-09.png');
});
