import { expect, it } from 'vitest';

import { historyWith } from '../../world/testing';
import { isTakenAlong, limitFrom, MEMORY_FIELD, promiseOf, rowKey, STEPS_FIELD, timelineOf, usageOf, type Row } from './model';

function written(row: Row): string {
  switch (row.kind) {
    case 'entry':
      return `${row.direction} ${row.entry.id} ${row.count}`;
    case 'waiting':
      return `${row.own ? 'own ' : ''}waiting ${row.action.id}`;
    case 'more':
      return `${row.count} more of ${row.gui}`;
    case 'now':
      return 'now';
    case 'dropped':
      return `${row.count} dropped`;
  }
}

it('is one line from the farthest future to the oldest past', () => {
  const rows = timelineOf(historyWith(['b', 'a'], ['c', 'd'], { dropped: 3 }));
  expect(rows.map(written)).toEqual(['redo d 2', 'redo c 1', 'now', 'undo b 1', 'undo a 2', '3 dropped']);
  expect(timelineOf(historyWith([])).map(written)).toEqual(['now']);
});

it('begins with what others hold, and with what was refused', () => {
  const action = (id: string, refused = '') => ({ id, author: 'bob', description: id, entities: [], refused });
  const history = historyWith(['mine', 'bad']);
  const undo = history.undo.map((entry) => ({ ...entry, pending: true }));
  const guis = [
    { id: 1, name: 'own', actions: [action('mine'), action('bad', 'it is gone')], more: 0 },
    { id: 2, name: 'bob', actions: [action('theirs')], more: 3 },
  ];
  const rows = timelineOf({ ...history, undo }, guis, 1);
  expect(rows.map(written)).toEqual(['own waiting bad', 'waiting theirs', '3 more of bob', 'now', 'undo mine 1', 'undo bad 2']);
  expect(new Set(rows.map(rowKey)).size).toBe(rows.length);
});

it('marks all that a jump takes along', () => {
  const rows = timelineOf(historyWith(['c', 'b', 'a'], ['d', 'e']));
  const to = (id: string) => rows.find((row) => row.kind === 'entry' && row.entry.id === id);
  const taken = (id: string) => rows.filter((row) => isTakenAlong(row, to(id))).map(written);
  expect(taken('b')).toEqual(['undo c 1', 'undo b 2']);
  expect(taken('e')).toEqual(['redo e 2', 'redo d 1']);
  expect(rows.some((row) => isTakenAlong(row, undefined))).toBe(false);
});

it('promises what a click does', () => {
  const promises = timelineOf(historyWith(['c', 'b', 'a'], ['d', 'e'])).flatMap((row) => (row.kind === 'entry' ? [promiseOf(row)] : []));
  expect(promises).toEqual([
    'Redo “Do e” and the command before it',
    'Redo “Do d”',
    'Undo “Do c”',
    'Undo “Do b” and the command after it',
    'Undo “Do a” and the 2 commands after it',
  ]);
});

it('says how full it is', () => {
  const history = historyWith(['a'], ['b'], { bytes: 3 * 2 ** 20 });
  expect(usageOf(history)).toEqual({ steps: '2 of 200', bytes: '3 MiB of 512 MiB' });
});

it('takes whole numbers within the limits and explains the others', () => {
  expect(limitFrom('200', STEPS_FIELD)).toEqual({ value: 200 });
  expect(limitFrom('10000', STEPS_FIELD)).toEqual({ value: 10_000 });
  const problem = { problem: 'Most commands takes a whole number, 1 to 10\u202f000' };
  for (const text of ['', ' ', '0', '-1', '1.5', '10001', 'many']) {
    expect(limitFrom(text, STEPS_FIELD)).toEqual(problem);
  }
  expect(limitFrom('0', MEMORY_FIELD)).toEqual({ problem: 'Most memory takes a whole number, 1 to 1\u202f048\u202f576 MiB' });
});
