import { expect, it } from 'vitest';

import { OneByOne } from './oneByOne';

/** Keeps what was sent until a test answers it. */
function bench(join: (waiting: number, newer: number) => number) {
  const sent: number[] = [];
  const failures: unknown[] = [];
  let answers: { done: () => void; fail: (error: Error) => void }[] = [];
  const wishes = new OneByOne<number>(
    (wish) => {
      sent.push(wish);
      return new Promise<void>((done, fail) => answers.push({ done, fail }));
    },
    join,
    (error) => failures.push(error),
  );
  const answer = async (error?: Error): Promise<void> => {
    const [first, ...rest] = answers;
    answers = rest;
    if (error === undefined) {
      first?.done();
    } else {
      first?.fail(error);
    }
    await new Promise((done) => setTimeout(done));
  };
  return { wishes, sent, failures, answer };
}

const newest = (_: number, newer: number): number => newer;

it('sends the first at once and of the others only the newest', async () => {
  const { wishes, sent, answer } = bench(newest);
  for (const wish of [1, 2, 3, 4]) {
    wishes.ask(wish);
  }
  expect(sent).toEqual([1]);
  await answer();
  expect(sent).toEqual([1, 4]);
  expect(wishes.idle).toBe(false);
  await answer();
  expect(wishes.idle).toBe(true);
  wishes.ask(5);
  expect(sent).toEqual([1, 4, 5]);
});

it('wishes can add up', async () => {
  const { wishes, sent, answer } = bench((waiting, newer) => waiting + newer);
  for (const wish of [1, 1, 1, -1, 1]) {
    wishes.ask(wish);
  }
  await answer();
  expect(sent).toEqual([1, 2]);
});

it('a failure is told once, and what waited for it is not sent', async () => {
  const { wishes, sent, failures, answer } = bench(newest);
  wishes.ask(1);
  wishes.ask(2);
  await answer(new Error('no'));
  expect(failures).toHaveLength(1);
  expect(sent).toEqual([1]);
  wishes.ask(3);
  expect(sent).toEqual([1, 3]);
});

it('what waits can be forgotten', async () => {
  const { wishes, sent, answer } = bench(newest);
  wishes.ask(1);
  wishes.ask(2);
  wishes.clear();
  await answer();
  expect(sent).toEqual([1]);
  expect(wishes.idle).toBe(true);
});
