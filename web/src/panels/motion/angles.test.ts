import { expect, it } from 'vitest';

import { formatPosition, shownUnit } from './angles';

it('writes angles in either unit, and lengths always in metres', () => {
  expect(formatPosition(Math.PI / 2, shownUnit('rad', 'rad'))).toBe('1.571');
  expect(formatPosition(Math.PI / 2, shownUnit('rad', 'deg'))).toBe('90.0');
  expect(formatPosition(-0.0125, shownUnit('m', 'deg'))).toBe('−0.0125');
  expect(shownUnit('rad', 'deg').name).toBe('°');
});

it('says when a position is not known', () => {
  expect(formatPosition(undefined, shownUnit('rad', 'rad'))).toBe('–');
  expect(formatPosition(Number.NaN, shownUnit('rad', 'rad'))).toBe('–');
  expect(formatPosition(Infinity, shownUnit('rad', 'rad'))).toBe('∞');
});
