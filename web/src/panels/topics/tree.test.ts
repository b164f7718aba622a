import { expect, it } from 'vitest';

import { bytesOf, Level, schemaOf } from '../../world/schemaTesting';
import { MOST_ELEMENTS, rowsOf, type TreeRow } from './tree';

const line = ({ depth, label, value, type, expandable }: TreeRow): string =>
  `${'  '.repeat(depth)}${expandable ? '+' : ' '}${label}: ${value} (${type})`;

function states(count: number) {
  const joint = Array.from({ length: count }, (_, i) => ({ id: BigInt(i), name: `j${i}`, position: [i / 2] }));
  return schemaOf('jointStates').decode(bytesOf('jointStates', { model: 'arm', stamp: { sec: 2n, nsec: 5 }, joint }));
}

it('shows what is open, with names and small messages in one line', () => {
  expect(rowsOf(states(2), new Set()).map(line)).toEqual([
    '+stamp: sec 2  nsec 5 (Time)',
    ' model: "arm" (string)',
    '+joint: 2 elements (JointState[])',
  ]);
  expect(rowsOf(states(2), new Set(['joint', 'joint[1]', 'joint[1].position'])).map(line).slice(2)).toEqual([
    '+joint: 2 elements (JointState[])',
    '  +[0]: name "j0" (JointState)',
    '  +[1]: name "j1" (JointState)',
    '     id: 1 (uint64)',
    '     name: "j1" (string)',
    '    +position: 1 element (double[])',
    '       [0]: 0.5 (double)',
    '     velocity: 0 elements (double[])',
    '     effort: 0 elements (double[])',
  ]);
});

it('counts what a long list has besides', () => {
  const rows = rowsOf(states(MOST_ELEMENTS + 30), new Set(['joint']));
  expect(rows).toHaveLength(3 + MOST_ELEMENTS + 1);
  expect(rows.at(-1)?.value).toBe('and 30 more');
});

it('names values of enums, and tells what is not set', () => {
  const rows = rowsOf(schemaOf('notification').decode(bytesOf('notification', { level: Level.WARNING, text: 'say "so"' })), new Set());
  expect(rows.map(line)).toEqual([
    ' level: LEVEL_WARNING (Level)',
    ' text: "say \\"so\\"" (string)',
    ' author: "" (string)',
    ' sim_time: not set (Time)',
  ]);
});
