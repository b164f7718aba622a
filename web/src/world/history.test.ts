import { create } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';

import { UserCmdStatsSchema } from '../protocol/generated/retake/msgs/history_pb';
import { historyOf, nextEntry } from './history';

const entry = (id: string) => ({ id, description: `Do ${id}`, author: 'page 1', simTime: { sec: 2n, nsec: 500_000_000 } });

it('puts what comes next first in both lists', () => {
  const stats = create(UserCmdStatsSchema, {
    undo: [entry('a'), entry('b')],
    redo: [entry('d'), entry('c')],
    enabled: true,
    maxSteps: 200,
    maxBytes: 1024n,
    bytes: 10n,
    dropped: 3n,
  });
  const history = historyOf(stats);
  expect(history.undo.map(({ id }) => id)).toEqual(['b', 'a']);
  expect(history.redo.map(({ id }) => id)).toEqual(['c', 'd']);
  expect(history).toMatchObject({ enabled: true, maxSteps: 200, maxBytes: 1024, bytes: 10, dropped: 3 });
  expect(nextEntry(history, 'undo')).toEqual({ id: 'b', description: 'Do b', author: 'page 1', simTimeSecs: 2.5, pending: false });
  expect(nextEntry(history, 'redo')?.id).toBe('c');
});

it('knows what waits for the world to go on', () => {
  const history = historyOf(create(UserCmdStatsSchema, { undo: [entry('a'), { ...entry('b'), pending: true }] }));
  expect(history.undo.map(({ id, pending }) => [id, pending])).toEqual([['b', true], ['a', false]]);
});

it('has an action that is being taken over once', () => {
  const history = historyOf(create(UserCmdStatsSchema, { undo: [entry('a'), entry('b'), { ...entry('b'), pending: true }] }));
  expect(history.undo.map(({ id, pending }) => [id, pending])).toEqual([['b', false], ['a', false]]);
});

it('has nothing next before the lists are here', () => {
  expect(nextEntry(undefined, 'undo')).toBeUndefined();
});
