import { describe, expect, it } from 'vitest';

import { newSignal } from '../../world/plotFrame';
import type { SignalList } from './host';
import {
  actionOfKey, draggedText, droppedSignals, foundRows, iconOfGroup, newestOf, openBranches, rowsBetween, signalsOf, visibleRows, type SignalAction, type SignalTree,
} from './signals';

const group = (id: string) => newSignal({ id, label: id, expandable: true });
const leaf = (id: string, ...signal: readonly string[]) => newSignal({ id, label: id, signal: [...signal] });
const list = (...node: SignalList['node']): SignalList => ({ node, leftOut: 0 });

const VECTOR = newSignal({ id: 'v', label: 'velocity', expandable: true, signal: ['v.x', 'v.y', 'v.z'] });
const TREE: SignalTree = {
  branches: new Map([
    ['', list(group('Topics'), group('Models'))],
    ['Models', { node: [VECTOR, leaf('angle', 'j::angle')], leftOut: 7 }],
    ['v', list(leaf('v.x', 'v.x'), leaf('v.y', 'v.y'))],
  ]),
  expanded: new Set(['Models', 'Topics', 'v']),
};

const text = (tree: SignalTree): readonly string[] => visibleRows(tree).map(({ level, label }) => `${'  '.repeat(level - 1)}${label}`);

describe('the tree of signals', () => {
  it('shows what is open, and what is asked for', () => {
    expect(text(TREE)).toEqual(['Topics', '  Loading…', 'Models', '  velocity', '    v.x', '    v.y', '  angle', '  and 7 more; search for them']);
    expect(text({ branches: new Map(), expanded: new Set() })).toEqual(['Loading…']);
    expect(text({ branches: new Map([['', list()]]), expanded: new Set() })).toEqual(['No signals yet']);
  });

  it('has rows that are told apart', () => {
    const keys = visibleRows(TREE).map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('asks anew for what can be seen alone', () => {
    expect(openBranches(TREE)).toEqual(['', 'Topics', 'Models', 'v']);
    expect(openBranches({ ...TREE, expanded: new Set(['v']) })).toEqual(['']);
  });

  it('shows what a search found, opens it, and says how many more there are', () => {
    const found = { node: [VECTOR, leaf('a::b', 'a::b')], leftOut: 3 };
    expect(foundRows(found, TREE).map(({ label }) => label)).toEqual(['velocity', 'v.x', 'v.y', 'a::b', 'and 3 more; search for them']);
  });

  it('keeps the arrays of topics while no message comes, and lets others go', () => {
    const known = list(leaf('a', 'a'));
    expect(newestOf('topics//t:pose', known, list())).toBe(known);
    expect(newestOf('models/7', known, list())).toEqual(list());
    expect(newestOf('topics//t:pose', undefined, list())).toEqual(list());
  });

  it('knows of which run a signal is', () => {
    const rows = foundRows(list(leaf('runs/run-1/x::y', 'x::y'), leaf('signal/x::y', 'x::y')), TREE);
    const picked = signalsOf(rows, new Set(rows.map(({ key }) => key)));
    expect(picked).toEqual([{ signal: 'x::y', run: 'run-1' }, { signal: 'x::y', run: '' }]);
    expect(droppedSignals(draggedText(picked))).toEqual(picked);
    expect(droppedSignals('')).toEqual([]);
  });

  it('gives the signals of several rows, each once', () => {
    const rows = visibleRows(TREE);
    expect(signalsOf(rows, new Set(['angle', 'v', 'v.x'])).map(({ signal }) => signal)).toEqual(['v.x', 'v.y', 'v.z', 'j::angle']);
    expect([...rowsBetween(rows, 'angle', 'v.x')]).toEqual(['v.x', 'v.y', 'angle']);
    expect([...rowsBetween(rows, 'gone', 'v.x')]).toEqual(['v.x']);
  });

  it.each<readonly [string | undefined, string, SignalAction | undefined]>([
    [undefined, 'ArrowDown', { kind: 'move', to: 'Topics' }],
    ['Topics', 'ArrowUp', { kind: 'move', to: 'Topics' }],
    ['v', 'ArrowRight', { kind: 'move', to: 'v.x' }],
    ['v.x', 'ArrowLeft', { kind: 'move', to: 'v' }],
    ['v', 'ArrowLeft', { kind: 'collapse', id: 'v' }],
    ['v.x', 'Enter', { kind: 'add' }],
    ['v', 'Enter', { kind: 'add' }],
    ['Models', 'Enter', { kind: 'collapse', id: 'Models' }],
    ['angle', 'ArrowRight', undefined],
    ['angle', 'x', undefined],
  ])('goes from %s by %s', (current, key, action) => {
    expect(actionOfKey(visibleRows(TREE), current, key)).toEqual(action);
  });
});

it('has a picture for each group, also for new ones', () => {
  expect([iconOfGroup('Models'), iconOfGroup('Something')]).toEqual(['model', 'frame']);
});
