import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';

import { EditConflictSchema, PendingActionsSchema, PendingEntity_Change as Change } from '../protocol/generated/retake/msgs/paused_pb';
import { conflictKey, conflictOf, conflictText } from './conflict';
import { pendingOf, touchedByOthers, touchesOf, touchText } from './pendingActions';
import { tableOf } from './testing';

const message = create(PendingActionsSchema, {
  gui: [
    {
      gui: 1n,
      name: 'anna',
      action: [
        { id: 'a', author: 'anna', description: 'Set mass of arm', entity: [{ id: 4n, change: Change.CHANGED }] },
        { id: 'b', author: 'anna', description: 'Add hand', entity: [{ id: 90n, change: Change.MADE, name: 'hand', kind: 'link', parent: 3n }, { id: 4n, change: Change.CHANGED }] },
      ],
    },
    { gui: 2n, name: 'bob', action: [{ id: 'c', author: 'bob', description: 'Delete arm', refused: 'it is gone', entity: [{ id: 4n, change: Change.REMOVED }, { id: 5n, change: Change.UNSPECIFIED }] }], more: 7n },
    { gui: 3n, name: 'idle' },
  ],
});

it('lists the actions of those who have some', () => {
  const guis = pendingOf(message);
  expect(guis.map(({ name, actions, more }) => [name, actions.length, more])).toEqual([['anna', 2, 0], ['bob', 1, 7]]);
  expect(guis[0]?.actions[1]?.entities[0]).toEqual({ id: 90, change: 'made', name: 'hand', kind: 'link', parent: 3 });
  expect(guis[1]?.actions[0]?.entities).toHaveLength(1);
});

it('tells of each entity who does what to it', () => {
  const touches = touchesOf(pendingOf(message));
  expect(touches.get(4)?.map((touch) => [touch.change, touchText(touch)])).toEqual([
    ['changed', 'anna: Set mass of arm, when the world goes on'],
    ['changed', 'anna: Add hand, when the world goes on'],
    ['removed', 'bob: Delete arm, refused: it is gone'],
  ]);
  expect(touches.get(5)).toBeUndefined();
});

it('tells others from this GUI', () => {
  const touched = (own: number | undefined) => [...touchedByOthers(pendingOf(message), own, (author) => `of ${author}`)];
  // What was refused does not happen.
  expect(touched(1)).toEqual([]);
  expect(touched(2)).toEqual([['of anna', [4, 90, 4]]]);
  expect(touched(undefined)).toEqual([['of anna', [4, 90, 4]]]);
});

describe('a conflict', () => {
  const side = (author: string, number: number) => ({ author, text: String(number), value: { value: { case: 'number' as const, value: number } } });
  const message = create(EditConflictSchema, { entity: 4n, name: 'arm::hand', component: 'inertial', field: 'mass_kg', won: side('bob', 2), lost: side('anna', 3) });
  const table = tableOf([{ component: 'inertial', path: 'mass_kg', label: 'Mass', unit: 'kg', type: 'number', kinds: ['link'] }]);

  it('is told with both values', () => {
    const conflict = conflictOf(message, table);
    expect(conflictText(conflict)).toBe('bob and anna both set mass of arm::hand: it is 2 kg by bob, not 3 kg by anna');
    expect(conflict.lost.value).toEqual({ type: 'number', number: 3 });
    expect(conflictKey(conflict)).toBe('4 inertial mass_kg');
  });

  it('is told by its path when the table does not know the field', () => {
    expect(conflictOf(message, tableOf([])).subject).toBe('mass kg of arm::hand');
    expect(conflictOf(create(EditConflictSchema, { name: 'arm', component: 'pose' }), tableOf([])).subject).toBe('pose of arm');
    expect(conflictOf(create(EditConflictSchema, {}), tableOf([])).won.value).toBeUndefined();
  });
});
