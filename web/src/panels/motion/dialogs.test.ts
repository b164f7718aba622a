import { expect, it } from 'vitest';

import { savesOver } from './dialogs';
import { draftWith } from './testing';

it('saves over its own file only', () => {
  expect(savesOver(draftWith({ name: 'wave' }, { file: 'motions/wave.toml' }))).toBe(true);
  expect(savesOver(draftWith({ name: 'wave.slow' }, { file: 'C:\\motions\\wave.slow.toml' }))).toBe(true);
  expect(savesOver(draftWith({ name: 'bow' }, { file: 'motions/wave.toml' }))).toBe(false);
  expect(savesOver(draftWith({ name: 'wave' }))).toBe(false);
});
