import { expect, it } from 'vitest';

import { SettingEdits } from './edits.svelte';

const settled = () => new Promise((resolve) => { setTimeout(resolve, 0); });

it('shows a wish at once, sends the newest, and lets go when the server has it', async () => {
  const sent: string[] = [];
  const answers: (() => void)[] = [];
  const edits = new SettingEdits(({ key, value, gesture }) => {
    sent.push(`${key} ${value} ${gesture}`);
    return new Promise((resolve) => answers.push(resolve));
  });
  ['2', '3', '4'].forEach((value) => { edits.wish('substeps', value, 'drag'); });
  edits.wish('iterations', '9', '');
  expect([edits.shown('substeps', '1'), edits.waiting('substeps'), edits.shown('other', '1')]).toEqual(['4', true, '1']);
  expect(sent).toEqual(['substeps 2 drag', 'iterations 9 ']);
  answers.splice(0).forEach((answer) => { answer(); });
  await settled();
  expect(sent.at(-1)).toBe('substeps 4 drag');
  expect([edits.shown('substeps', '2'), edits.waiting('iterations')]).toEqual(['4', false]);
  answers.splice(0).forEach((answer) => { answer(); });
  await settled();
  expect([edits.shown('substeps', '4'), edits.waiting('substeps')]).toEqual(['4', false]);
});

it('a refusal takes the value back and says why, until the next wish', async () => {
  const edits = new SettingEdits(({ value }) => (value === '99' ? Promise.reject(new Error('1 to 64')) : Promise.resolve()));
  edits.wish('substeps', '99', '');
  await settled();
  expect([edits.shown('substeps', '1'), edits.reason('substeps')]).toEqual(['1', '1 to 64']);
  edits.wish('substeps', '8', '');
  expect(edits.reason('substeps')).toBeUndefined();
  edits.refuse('substeps', 'no number');
  expect(edits.reason('substeps')).toBe('no number');
});
