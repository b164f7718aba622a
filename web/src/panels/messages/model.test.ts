import { expect, it } from 'vitest';

import {
  cleared, countsOf, EMPTY_LOG, messagesText, MOST_MESSAGES, shownMessages, toastsOf, withMessage, type Level, type Message, type MessageLog,
} from './model';

const said = (text: string, level: Level = 'info', at = 0) => ({ text, level, author: '', at, toast: 'full' as const, place: '', help: '' });
const logOf = (...messages: readonly Omit<Message, 'id' | 'count'>[]): MessageLog => messages.reduce(withMessage, EMPTY_LOG);

it('counts what is said again', () => {
  const { messages } = logOf(said('a'), said('a'), said('b'), said('a'));
  expect(messages.map(({ text, count, id }) => [text, count, id])).toEqual([['a', 2, 1], ['b', 1, 2], ['a', 1, 3]]);
  const places = logOf({ ...said('a'), place: 'x.sdf:1:1' }, { ...said('a'), place: 'x.sdf:2:1' });
  expect(places.messages).toHaveLength(2);
});

it('keeps a bounded number, and says how many went', () => {
  const log = logOf(...Array.from({ length: MOST_MESSAGES + 10 }, (_, i) => said(String(i))));
  expect([log.messages.length, log.messages[0]?.text, log.dropped]).toEqual([MOST_MESSAGES, '10', 10]);
});

it('forgets all, and what comes later is no message that was there', () => {
  const log = withMessage(cleared(logOf(said('a'), said('b'))), said('c'));
  expect(log).toMatchObject({ dropped: 0, messages: [{ id: 3, text: 'c' }] });
});

it('shows toasts for a while, errors until they are closed', () => {
  const { messages } = logOf(said('old'), said('bad', 'error'), said('new', 'info', 5_000));
  expect(toastsOf(messages, new Set(), 6_000).map(({ text }) => text)).toEqual(['bad', 'new']);
  expect(toastsOf(messages, new Set([2]), 6_000).map(({ text }) => text)).toEqual(['new']);
});

it('takes what is small away sooner, and shows no toast where there is none', () => {
  const { messages } = logOf(said('theirs'), { ...said('mine'), toast: 'small' }, { ...said('told elsewhere'), toast: 'none' });
  expect(toastsOf(messages, new Set(), 2_400)).toHaveLength(2);
  expect(toastsOf(messages, new Set(), 2_600).map(({ text }) => text)).toEqual(['theirs']);
});

it('filters by level and by words, the newest first', () => {
  const { messages } = logOf(said('wheel lost', 'error'), { ...said('Unknown element', 'warning'), place: 'worlds/arm.sdf:3:5' }, said('saved'));
  const shown = (hidden: readonly Level[], text: string) => shownMessages(messages, { hidden, text }).map((message) => message.text);
  expect(shown([], '')).toEqual(['saved', 'Unknown element', 'wheel lost']);
  expect(shown(['info'], '')).toEqual(['Unknown element', 'wheel lost']);
  expect(shown([], 'ARM.sdf element')).toEqual(['Unknown element']);
  expect(countsOf(messages)).toEqual({ error: 1, warning: 1, info: 1 });
});

it('is written for others, the oldest first', () => {
  const { messages } = logOf(said('a', 'error', 0), { ...said('b', 'warning', 1000), place: 'x.sdf:1:2', help: 'Mend it', author: 'page 1' });
  expect(messagesText(shownMessages(messages, { hidden: [], text: '' }))).toBe(
    '1970-01-01T00:00:00.000Z error: a\n1970-01-01T00:00:01.000Z warning: x.sdf:1:2: b. Mend it [page 1]\n',
  );
});
