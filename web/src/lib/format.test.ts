import { describe, expect, it } from 'vitest';

import {
  formatBytes, formatClock, formatCount, formatDegrees, formatFileSize, formatLogTime, formatNumber, formatProgress, formatShort, formatSimTime,
  formatSpan, humanize,
} from './format';

describe('numbers', () => {
  it.each([
    [1.23456, '1.235'],
    [-0.0001, '0.000'],
    [-0, '0.000'],
    [-0.0006, '−0.001'],
    [12_345_678, '1.23e7'],
    [Number.NaN, 'not a number'],
    [Number.POSITIVE_INFINITY, '∞'],
    [Number.NEGATIVE_INFINITY, '−∞'],
  ])('%f is written %s', (value, text) => {
    expect(formatNumber(value)).toBe(text);
  });

  it('short ones lose their zeros', () => {
    expect(formatShort(0.5)).toBe('0.5');
    expect(formatShort(100)).toBe('100');
    expect(formatShort(-2.5e-5)).toBe('−2.5e−5');
  });

  it('angles are in degrees', () => {
    expect(formatDegrees(-Math.PI / 2)).toBe('−90.0');
  });

  it('counts are grouped', () => {
    expect(formatCount(1234567n)).toBe('1\u202f234\u202f567');
    expect(formatCount(12)).toBe('12');
  });
});

describe('times', () => {
  it.each([
    [0, '0.000 s'],
    [59.9994, '59.999 s'],
    [59.9996, '1:00.000'],
    [185.25, '3:05.250'],
    [3723.25, '1:02:03.250'],
  ])('%f s is written %s', (secs, text) => {
    expect(formatSimTime(secs)).toBe(text);
  });
});

it.each([
  [-3.2, '−3.20 s'],
  [0.5, '+0.50 s'],
  [-0.004, '−0.004 s'],
  [65.25, '+1:05.250'],
])('a jump of %f s is written %s', (secs, text) => {
  expect(formatSpan(secs)).toBe(text);
});

it.each([
  [0, '0 B'],
  [640, '640 B'],
  [12_800, '12.5 KiB'],
  [512 * 2 ** 20, '512 MiB'],
  [2 ** 40, '1 TiB'],
])('%i bytes are written %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

it('identifiers become words', () => {
  expect(humanize('diff_drive_state')).toBe('Diff drive state');
});

describe('logs', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [3_449_000, '3.4 MB'],
    [99_960_000, '100 MB'],
    [123_456_789, '123 MB'],
    [5_000_000_000, '5.0 GB'],
  ])('a file of %d bytes is written %s', (bytes, text) => {
    expect(formatFileSize(bytes)).toBe(text);
  });

  it.each([
    [0, '00:00'],
    [12.99, '00:12'],
    [61, '01:01'],
    [3723, '1:02:03'],
    [-1, '00:00'],
  ])('%f seconds are %s on a clock', (secs, text) => {
    expect(formatClock(secs)).toBe(text);
  });

  it.each([
    [0, '0.00 s'],
    [3.214, '3.21 s'],
    [-0.001, '0.00 s'],
    [-2, '−2.00 s'],
    [59.999, '1:00.00'],
    [65.25, '1:05.25'],
    [3723.25, '1:02:03.25'],
  ])('the time %f is written %s', (secs, text) => {
    expect(formatLogTime(secs)).toBe(text);
  });

  it('progress has its unit once', () => {
    expect(formatProgress(5.4, 20)).toBe('5.40 / 20.00 s');
    expect(formatProgress(5.4, 80)).toBe('5.40 / 1:20.00');
  });
});
