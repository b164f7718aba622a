import { describe, expect, it } from 'vitest';

import { rowWindow } from '../../lib/rowWindow';
import { stateOf } from '../../world/testing';
import { World } from '../../world/world';
import { touchesOf, type PendingAction, type PendingEntity } from '../../world/pendingActions';
import { actionOfKey, chosenBy, expandedTo, extended, keysOf, marksOf, matchCount, NO_MARKS, visibleRows, type Marks } from './model';

const world = new World();
world.apply(
  stateOf({
    1: { kind: 'world', name: 'course' },
    2: { kind: 'light', name: 'sun', parent: 1 },
    3: { kind: 'model', name: 'vehicle', parent: 1 },
    4: { kind: 'joint', name: 'left_wheel_joint', parent: 3 },
    5: { kind: 'link', name: 'chassis', parent: 3 },
    6: { kind: 'link', name: 'left_wheel', parent: 3 },
    7: { kind: 'visual', name: 'body', parent: 5 },
    8: { kind: 'model', name: 'cone', parent: 1 },
  }),
);

/** The rows as text: indented names, with + and − for what can be opened and closed. */
function check(expanded: readonly number[], query = '', marks: Marks = NO_MARKS): string[] {
  return visibleRows(world, { expanded: new Set(expanded), query, marks, hidden: new Set() }).map((row) => {
    const sign = row.expandable ? (row.expanded ? '−' : '+') : ' ';
    const mark = row.mark && ` [${row.mark.inside ? 'inside ' : ''}${row.mark.removed ? 'removed ' : ''}${row.mark.authors.join(' ')}]`;
    return `${'  '.repeat(row.level - 1)}${sign}${row.ghost ? `(${row.name})` : row.name}${mark ?? ''}`;
  });
}

describe('rows', () => {
  it('tell what the view does not show', () => {
    const seen = visibleRows(world, { expanded: new Set([1, 3, 5]), query: '', marks: NO_MARKS, hidden: new Set([3]) }).map(({ name, seen }) => `${name} ${seen}`);
    expect(seen).toEqual(['course seen', 'vehicle hidden', 'chassis inside', 'body inside', 'left_wheel inside', 'left_wheel_joint inside', 'cone seen', 'sun seen']);
  });

  it('show what is open, models first and in the order of the file', () => {
    expect(check([])).toEqual(['+course']);
    expect(check([1])).toEqual(['−course', '  +vehicle', '   cone', '   sun']);
    expect(check([1, 3])).toEqual([
      '−course', '  −vehicle', '    +chassis', '     left_wheel', '     left_wheel_joint', '   cone', '   sun',
    ]);
  });

  it('of a search are the matches and what leads to them, whatever is open', () => {
    expect(check([], 'WHEEL')).toEqual(['−course', '  −vehicle', '     left_wheel', '     left_wheel_joint']);
    expect(check([], 'vehicle')).toEqual(['−course', '  +vehicle']);
    expect(check([1], 'tractor')).toEqual([]);
    const rows = visibleRows(world, { expanded: new Set(), query: 'wheel', marks: NO_MARKS, hidden: new Set() });
    expect(matchCount(rows)).toBe(2);
    expect(rows.at(-1)?.match).toEqual({ start: 5, end: 10 });
  });

  it('tell screen readers where they are', () => {
    const rows = visibleRows(world, { expanded: new Set([1]), query: '', marks: NO_MARKS, hidden: new Set() });
    expect(rows.map(({ level, position, siblings }) => [level, position, siblings])).toEqual([
      [1, 1, 1], [2, 1, 3], [2, 2, 3], [2, 3, 3],
    ]);
  });

  it('open towards a selected entity', () => {
    expect([...expandedTo(world, 7, new Set([8]))].sort()).toEqual([1, 3, 5, 8]);
    const open = new Set([1, 3, 5]);
    expect(expandedTo(world, 7, open)).toBe(open);
  });

  it('stay fast with many entities', () => {
    const many = new World();
    const entities = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, i) => [i + 2, { kind: 'model', name: `box_${String(i)}`, parent: 1 }]),
    );
    many.apply(stateOf({ 1: { kind: 'world', name: 'w' }, ...entities }));
    expect(visibleRows(many, { expanded: new Set([1]), query: '', marks: NO_MARKS, hidden: new Set() })).toHaveLength(10_001);
    expect(rowWindow(10_001, 26 * 5000, 520, 26)).toEqual([4992, 5028]);
  });
});

describe('keys', () => {
  const rows = visibleRows(world, { expanded: new Set([1, 3]), query: '', marks: NO_MARKS, hidden: new Set() });

  it.each([
    ['ArrowDown', 1, { kind: 'move', to: 3 }],
    ['ArrowDown', 2, { kind: 'move', to: 2 }],
    ['ArrowDown', undefined, { kind: 'move', to: 1 }],
    ['ArrowUp', 1, { kind: 'move', to: 1 }],
    ['End', 1, { kind: 'move', to: 2 }],
    ['Home', 2, { kind: 'move', to: 1 }],
    ['ArrowRight', 5, { kind: 'expand', id: 5 }],
    ['ArrowRight', 3, { kind: 'move', to: 5 }],
    ['ArrowRight', 8, undefined],
    ['ArrowLeft', 3, { kind: 'collapse', id: 3 }],
    ['ArrowLeft', 6, { kind: 'move', to: 3 }],
    ['ArrowLeft', 8, { kind: 'move', to: 1 }],
    ['Enter', 6, { kind: 'focus', id: 6 }],
    ['F2', 6, { kind: 'rename', id: 6 }],
    ['ContextMenu', 6, { kind: 'menu', id: 6 }],
    ['F2', undefined, undefined],
    ['a', 6, undefined],
  ])('%s on %s', (key, current, action) => {
    expect(actionOfKey(rows, current, key)).toEqual(action);
  });
});

describe('what waits for the world to go on', () => {
  const entity = (id: number, change: PendingEntity['change'], more: Partial<PendingEntity> = {}): PendingEntity => ({
    id, change, name: '', kind: 'unknown', parent: undefined, ...more,
  });
  const action = (author: string, description: string, ...entities: PendingEntity[]): PendingAction => ({
    id: description, author, description, entities, refused: '',
  });
  const guis = [
    { id: 1, name: 'anna', more: 0, actions: [action('anna', 'Set mass', entity(5, 'changed'))] },
    {
      id: 2,
      name: 'bob',
      more: 0,
      actions: [
        action('bob', 'Add hand', entity(90, 'made', { name: 'hand', kind: 'link', parent: 3 })),
        action('bob', 'Delete sun', entity(2, 'removed')),
        // Made by this page's own host, and here already.
        action('bob', 'Add cone', entity(8, 'made', { name: 'cone', kind: 'model', parent: 1 })),
      ],
    },
  ];
  const marks = marksOf(world, guis, touchesOf(guis));

  it('marks rows, shows what comes and strikes what goes', () => {
    expect(check([1, 3], '', marks)).toEqual([
      '−course', '  −vehicle', '    +chassis [anna]', '     left_wheel', '     left_wheel_joint', '     (hand) [bob]',
      '   cone [bob]', '   sun [removed bob]',
    ]);
  });

  it('marks what holds it while that is closed', () => {
    expect(check([1], '', marks)).toEqual(['−course', '  +vehicle [inside anna bob]', '   cone [bob]', '   sun [removed bob]']);
    expect(check([], '', marks)).toEqual(['+course [inside anna bob]']);
  });

  it('says who does what', () => {
    const row = visibleRows(world, { expanded: new Set([1]), query: '', marks, hidden: new Set() }).find(({ name }) => name === 'vehicle');
    expect(row?.mark?.text).toBe('anna: Set mass, when the world goes on\nbob: Add hand, when the world goes on');
  });

  it('keys pass by what is not there yet', () => {
    const rows = visibleRows(world, { expanded: new Set([1, 3]), query: '', marks, hidden: new Set() });
    expect(actionOfKey(rows, 4, 'ArrowDown')).toEqual({ kind: 'move', to: 8 });
  });
});

it('the window is never outside of the rows', () => {
  expect(rowWindow(0, 0, 500, 26)).toEqual([0, 0]);
  expect(rowWindow(3, 9000, 500, 26)).toEqual([3, 3]);
});

it('clicks select one, add one, or all up to one', () => {
  const rows = visibleRows(world, { expanded: new Set([1, 3]), query: '', marks: NO_MARKS, hidden: new Set() });
  expect(rows.map(({ id }) => id)).toEqual([1, 3, 5, 6, 4, 8, 2]);
  expect(chosenBy(rows, [3, 8], 6, 'plain')).toEqual([6]);
  expect(chosenBy(rows, [3, 8], 6, 'toggle')).toEqual([3, 8, 6]);
  expect(chosenBy(rows, [3, 8], 3, 'toggle')).toEqual([8]);
  expect(chosenBy(rows, [5], 8, 'range')).toEqual([5, 6, 4, 8]);
  expect(chosenBy(rows, [8], 6, 'range')).toEqual([8, 4, 6]);
  expect(chosenBy(rows, [], 6, 'range')).toEqual([6]);
  expect(keysOf({ ctrlKey: true, metaKey: false, shiftKey: true })).toBe('range');
});

it('keys make the selection longer, and shorter on the way back', () => {
  expect(extended([3], 5)).toEqual([3, 5]);
  expect(extended([3, 5], 3)).toEqual([3]);
});
