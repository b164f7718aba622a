import { expect, it } from 'vitest';

import type { Conflict } from '../../world/conflict';
import { MOST_CONFLICTS, nameFor, storyOf, withConflict, without } from './conflicts';

const side = (author: string, number: number) => ({ author, description: '', value: { type: 'number' as const, number }, text: String(number) });
const conflict = (entity: number, path: string, number = 1): Conflict => ({
  entity, name: `m${entity}`, component: 'surface', path, subject: '', won: side('bob', number), lost: side('anna', 0),
});

it('keeps one for each field, the newest', () => {
  const list = [conflict(1, 'friction.mu'), conflict(2, 'friction.mu'), conflict(1, 'friction.mu', 5)].reduce<readonly Conflict[]>(withConflict, []);
  expect(list.map(({ entity, won }) => [entity, won.text])).toEqual([[2, '1'], [1, '5']]);
  expect(without(list, conflict(2, 'friction.mu')).map(({ entity }) => entity)).toEqual([1]);
});

it('keeps a bounded number', () => {
  const list = Array.from({ length: 20 }, (_, i) => conflict(i, '')).reduce<readonly Conflict[]>(withConflict, []);
  expect(list).toHaveLength(MOST_CONFLICTS);
  expect(list.at(-1)?.entity).toBe(19);
});

it('tells this page from others', () => {
  expect(storyOf(conflict(1, ''), 'anna')).toBe('You and bob both set');
  expect(storyOf(conflict(1, ''), 'carl')).toBe('bob and anna both set');
  expect([nameFor('anna', 'anna'), nameFor('bob', 'anna')]).toEqual(['You', 'bob']);
});
