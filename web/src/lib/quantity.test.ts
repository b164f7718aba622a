import { describe, expect, it } from 'vitest';

import { exactText, parseQuantity, problemOf, shortText, stepOf, stepped, unitsFor } from './quantity';

describe('what people type', () => {
  it.each([
    ['0.5', '', 0.5],
    [' -2 ', '', -2],
    ['−2', '', -2],
    ['.25', '', 0.25],
    ['1e3', '', 1000],
    ['1e-3', '', 0.001],
    ['1e−3', '', 0.001],
    ['1+2*3', '', 7],
    ['(1+2)*3', '', 9],
    ['2(3)', '', 6],
    ['-(1 - 4)', '', 3],
    ['1/3', '', 1 / 3],
    ['6/2/3', '', 1],
    ['pi/2', 'rad', Math.PI / 2],
    ['2π', 'rad', 2 * Math.PI],
    ['5cm', 'm', 0.05],
    ['1 m + 5 cm', 'm', 1.05],
    ['30deg', 'rad', Math.PI / 6],
    ['30°', 'rad', Math.PI / 6],
    ['0.5 turn', 'rad', Math.PI],
    ['1 rad', '°', 180 / Math.PI],
    ['90deg/s', 'rad/s', Math.PI / 2],
    ['250 g', 'kg', 0.25],
    ['3 N m', 'N m', 3],
    ['3 Nm', 'N m', 3],
    ['2 g cm²', 'kg m²', 2e-7],
    ['5 ms', 's', 0.005],
    ['inf', '', Number.POSITIVE_INFINITY],
    ['-∞', '', Number.NEGATIVE_INFINITY],
    ['Infinity', 'rad', Number.POSITIVE_INFINITY],
  ])('%s in %s is %d', (text, unit, value) => {
    expect(parseQuantity(text, unit)).toBeCloseTo(value, 12);
  });

  it.each([
    ['', ''], [' ', ''], ['abc', ''], ['1 2', ''], ['5cm', 'kg'], ['1+', ''], ['(1', ''], ['1)', ''], ['*3', ''],
    ['inf-inf', ''], ['0/0', ''], ['1..2', ''], ['0x10', ''], ['1,5', ''], ['('.repeat(300), ''], ['constructor', ''],
  ])('%s in %s is no number', (text, unit) => {
    expect(parseQuantity(text, unit)).toBeUndefined();
  });

  it('knows the units of a field', () => {
    expect(unitsFor('m')).toContain('cm');
    expect(unitsFor('')).toEqual([]);
  });
});

describe('what an input shows', () => {
  it.each([
    [0.30000001192092, '0.3', '0.30000001192092'],
    [-0.5, '-0.5', '-0.5'],
    [1e12, '1e12', '1000000000000'],
    [0.00012345678, '1.235e-4', '0.00012345678'],
    [12.34567, '12.3457', '12.34567'],
    [0, '0', '0'],
    [Number.NEGATIVE_INFINITY, '-∞', '-∞'],
    [Number.POSITIVE_INFINITY, '∞', '∞'],
  ])('%d at rest is %s, under the hand %s', (value, short, exact) => {
    expect(shortText(value)).toBe(short);
    expect(exactText(value)).toBe(exact);
    expect(parseQuantity(exact, '')).toBe(value);
  });

  it('leaves out what only rounding has made', () => {
    expect([0.1 + 0.2, 29.999999999999996].map(exactText)).toEqual(['0.3', '30']);
  });

  it('whole numbers keep every digit', () => {
    expect(shortText(4_294_967_295, { integer: true })).toBe('4294967295');
  });
});

describe('arrow keys', () => {
  it.each([
    [0, '', 0.1], [1, '', 0.1], [0.5, '', 0.01], [0.001, '', 0.0001], [30, 'm', 1], [1e12, '', 1e11], [45, '°', 1],
  ])('from %d %s go by %d', (value, unit, step) => {
    expect(stepOf(value, unit)).toBeCloseTo(step, 12);
  });

  it('lead to short numbers', () => {
    expect(stepped(0.1, 0.01, 2)).toBe(0.12);
    expect(stepped(0.30000001192092896, 0.01, 1)).toBe(0.31);
    expect(stepped(1, 0.1, -1)).toBe(0.9);
    expect(stepped(1e12, 1e11, 10)).toBe(2e12);
    expect(stepped(Number.POSITIVE_INFINITY, 0.1, 1)).toBe(Number.POSITIVE_INFINITY);
  });
});

it('tells why a number is none for a field', () => {
  const limits = { min: 0, max: 1, infinite: false, integer: false };
  expect(problemOf(0.5, limits)).toBeUndefined();
  expect(problemOf(-1, limits)).toBe('It must be at least 0');
  expect(problemOf(2, limits)).toBe('It must be at most 1');
  expect(problemOf(Number.POSITIVE_INFINITY, { ...limits, max: undefined })).toBe('It cannot be infinite');
  expect(problemOf(0.5, { infinite: false, integer: true })).toBe('It takes a whole number');
});
