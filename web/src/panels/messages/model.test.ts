import { expect, it } from 'vitest';

import { MOST_MESSAGES, toastsOf, withMessage, type Level, type Message } from './model';

const said = (text: string, level: Level = 'info', at = 0) => ({ text, level, author: '', at, toast: 'full' as const });

it('counts what is said again', () => {
  const list = [said('a'), said('a'), said('b'), said('a')].reduce<readonly Message[]>(withMessage, []);
  expect(list.map(({ text, count, id }) => [text, count, id])).toEqual([['a', 2, 1], ['b', 1, 2], ['a', 1, 3]]);
});

it('keeps a bounded number', () => {
  let list: readonly Message[] = [];
  for (let i = 0; i < MOST_MESSAGES + 10; i += 1) {
    list = withMessage(list, said(String(i)));
  }
  expect(list).toHaveLength(MOST_MESSAGES);
  expect(list[0]?.text).toBe('10');
});

it('shows toasts for a while, errors until they are closed', () => {
  const list = [said('old'), said('bad', 'error'), said('new', 'info', 5_000)].reduce<readonly Message[]>(withMessage, []);
  expect(toastsOf(list, new Set(), 6_000).map(({ text }) => text)).toEqual(['bad', 'new']);
  expect(toastsOf(list, new Set([2]), 6_000).map(({ text }) => text)).toEqual(['new']);
});

it('takes what is small away sooner, and shows no toast where there is none', () => {
  const others = [{ ...said('mine'), toast: 'small' as const }, { ...said('told elsewhere'), toast: 'none' as const }];
  const list = [said('theirs'), ...others].reduce<readonly Message[]>(withMessage, []);
  expect(toastsOf(list, new Set(), 2_400)).toHaveLength(2);
  expect(toastsOf(list, new Set(), 2_600).map(({ text }) => text)).toEqual(['theirs']);
});
