import { expect, it } from 'vitest';

import type { FieldValue } from '../../world/fieldValue';
import { anglesOf, axisNames, firstValue, hexOf, infinityOf, withAngle, withHex, withNumber, withQuaternion } from './values';

const POSE = [1, 2, 3, 0, 0, 0, 1];
const numbersOf = (value: FieldValue | undefined) => (value?.type === 'numbers' ? value.numbers : []);

it('angles are set one by one, in degrees, and the place stays', () => {
  const turned = numbersOf(withAngle(numbersOf(withAngle(POSE, 2, 90)), 0, 30));
  expect(turned.slice(0, 3)).toEqual([1, 2, 3]);
  anglesOf(turned).forEach((angle, i) => {
    expect(angle).toBeCloseTo([30, 0, 90][i] ?? Number.NaN, 9);
  });
});

it('quaternions are made one long, and none is made of zeros', () => {
  expect(numbersOf(withQuaternion(POSE, 0, 1))).toEqual([1, 2, 3, Math.SQRT1_2, 0, 0, Math.SQRT1_2].map((n) => expect.closeTo(n, 12) as number));
  expect(withQuaternion(POSE, 3, 0)).toBeUndefined();
});

it('colours keep their alpha', () => {
  expect(hexOf([1, 0.5, 0, 0.25])).toBe('#ff8000');
  expect(numbersOf(withHex([1, 0.5, 0, 0.25], '#0000ff'))).toEqual([0, 0, 1, 0.25]);
});

it('one number of several changes alone', () => {
  expect(numbersOf(withNumber([1, 2, 3], 1, 9))).toEqual([1, 9, 3]);
});

it('numbers of vectors have the names that people know', () => {
  expect(axisNames('size', 3)).toEqual(['x', 'y', 'z']);
  expect(axisNames('plane.size', 2)).toEqual(['x', 'y']);
  expect(axisNames('moments', 3)).toEqual(['xx', 'yy', 'zz']);
  expect(axisNames('', 6)).toEqual(['x', 'y', 'z', 'w', '5', '6']);
});

it('a lower limit is infinite downwards', () => {
  expect(['axes.0.limits.lower', 'axes.0.limits.upper', 'effort'].map(infinityOf)).toEqual([-Infinity, Infinity, Infinity]);
});

it('what is added begins with something that is allowed', () => {
  const field = (type: 'number' | 'choice' | 'entity', more = {}) =>
    ({ component: 'c', path: '', label: '', help: '', type, unit: '', min: 1, max: undefined, infinite: false, choices: ['a', 'b'], optional: true, entityKind: '', kinds: [], ...more });
  expect(firstValue({ field: field('number'), options: [], first: undefined })).toEqual({ type: 'number', number: 1 });
  expect(firstValue({ field: field('number'), options: [], first: { type: 'number', number: 7 } })).toEqual({ type: 'number', number: 7 });
  expect(firstValue({ field: field('choice'), options: [], first: undefined })).toEqual({ type: 'text', text: 'a' });
  expect(firstValue({ field: field('entity'), options: [], first: undefined })).toEqual({ type: 'none' });
  expect(firstValue({ field: field('entity'), options: [{ id: 4, name: 'x' }], first: undefined })).toEqual({ type: 'entity', entity: 4 });
});
