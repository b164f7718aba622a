import { expect, it } from 'vitest';

import type { EditBody } from '../world/teaching';
import { DraftEdits, joinEdits, type SentEdit } from './draftEdits';

const time = (id: bigint, secs: number): EditBody => ({ case: 'time', value: { id, time: secs } });
const move = (ids: readonly bigint[], by: number): EditBody => ({ case: 'moveWaypoints', value: { id: [...ids], by } });
const sent = (edit: EditBody, stroke = 'drag', robot = 'arm'): SentEdit => ({ robot, edit, stroke });

it('joins what one stroke says of one thing', () => {
  expect(joinEdits(sent(time(1n, 1)), sent(time(1n, 2)))?.edit).toEqual(time(1n, 2));
  expect(joinEdits(sent(move([1n, 2n], 0.25)), sent(move([1n, 2n], 0.5)))?.edit).toEqual(move([1n, 2n], 0.75));
});

it('keeps apart what is of other strokes, robots or things', () => {
  const first = sent(time(1n, 1));
  for (const second of [sent(time(2n, 2)), sent(time(1n, 2), 'other'), sent(time(1n, 2), 'drag', 'leg'), sent(move([1n], 1))]) {
    expect(joinEdits(first, second)).toBeUndefined();
  }
  expect(joinEdits(sent(time(1n, 1), ''), sent(time(1n, 2), ''))).toBeUndefined();
  expect(joinEdits(sent(move([1n], 1)), sent(move([1n, 2n], 1)))).toBeUndefined();
  const position = (joint: string) => sent({ case: 'position', value: { id: 1n, joint, position: 1 } });
  expect(joinEdits(position('elbow'), position('wrist'))).toBeUndefined();
});

it('sends one at a time, in order, and the newest of a drag', async () => {
  const begun: EditBody[] = [];
  const release: (() => void)[] = [];
  const edits = new DraftEdits(({ edit }) => {
    begun.push(edit);
    return new Promise((resolve) => release.push(() => { resolve(['9']); }));
  });
  const answers = [time(1n, 1), time(1n, 2), time(1n, 3)].map((edit) => edits.edit(sent(edit)));
  expect(begun).toEqual([time(1n, 1)]);
  release.shift()?.();
  expect(await answers[0]).toEqual(['9']);
  expect(begun).toEqual([time(1n, 1), time(1n, 3)]);
  release.shift()?.();
  expect(await Promise.all(answers)).toEqual([['9'], ['9'], ['9']]);
});

it('goes on after a refusal, and tells only who was refused', async () => {
  const edits = new DraftEdits(({ edit }) => (edit.case === 'reverse' ? Promise.reject(new Error('too short')) : Promise.resolve([])));
  const refused = edits.edit(sent({ case: 'reverse', value: true }));
  const done = edits.edit(sent(time(1n, 1)));
  await expect(refused).rejects.toThrow('too short');
  expect(await done).toEqual([]);
});

it('does not let edits pile up', async () => {
  const edits = new DraftEdits(() => new Promise(() => undefined));
  const answers = Array.from({ length: 66 }, (_, index) => edits.edit(sent(time(BigInt(index), 1), '')));
  await expect(answers[65]).rejects.toThrow('Too many edits are waiting');
  const rest = Promise.allSettled(answers.slice(1, 65));
  edits.clear();
  expect((await rest).every(({ status }) => status === 'rejected')).toBe(true);
});
