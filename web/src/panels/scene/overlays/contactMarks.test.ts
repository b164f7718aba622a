import { expect, it } from 'vitest';

import type { ContactPoint, Contacts } from '../../../world/contacts';
import { contactMarks, greatestForce } from './contactMarks';

const GROUND = 1;
const point = (change: Partial<ContactPoint>): ContactPoint => ({
  first: GROUND, second: 2, position: [0, 0, 0], normal: [0, 0, 1], force: [0, 0, 0], ...change,
});
const marks = (...points: ContactPoint[]) => {
  const contacts: Contacts = { points, leftOut: 0 };
  return contactMarks(contacts, (id) => id === GROUND).map(({ along, lengthPx }) => `${along.map((n) => n + 0).join(' ')}, ${lengthPx} px`);
};

it('points to what can move, whichever comes first', () => {
  expect(marks(point({ force: [0, 0, 8] }))).toEqual(['0 0 1, 64 px']);
  expect(marks(point({ first: 2, second: GROUND, normal: [0, 0, -1], force: [0, 0, -8] }))).toEqual(['0 0 1, 64 px']);
});

it('is longer for more force, and never too short to be seen', () => {
  expect(marks(point({ force: [0, 0, 8] }), point({ force: [0, 2, 0] }), point({}))).toEqual(['0 0 1, 64 px', '0 1 0, 32 px', '0 0 1, 16 px']);
  expect(marks()).toEqual([]);
});

it('tells the greatest force', () => {
  expect(greatestForce({ points: [point({ force: [3, 4, 0] }), point({ force: [0, 0, 1] })] })).toBe(5);
  expect(greatestForce({ points: [] })).toBe(0);
});
