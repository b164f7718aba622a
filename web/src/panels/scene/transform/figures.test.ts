import { expect, it } from 'vitest';

import type { Vec3 } from '../../../lib/pose';
import { unit } from '../../../lib/vector';
import { figuresOf, handleAt, type Point, type Stand } from './figures';

/** Looks along −y: x to the right, z up, 100 pixels for a metre. */
function fromFront([x, , z]: Vec3): Point {
  return [400 + x * 100, 300 - z * 100];
}

function stand(mode: Stand['mode'], more: Partial<Stand> = {}): Stand {
  return { mode, pivot: [0, 0, 0], axes: [0, 0, 0, 1], toEye: [0, -1, 0], size: 1, ...more };
}

it('is hit where it is seen', () => {
  const figures = figuresOf(stand('translate'), fromFront);
  expect(handleAt(figures, [470, 301])).toBe('x');
  expect(handleAt(figures, [402, 230])).toBe('z');
  expect(handleAt(figures, [400, 300])).toBe('view');
  expect(handleAt(figures, [440, 260])).toBe('zx');
  expect(handleAt(figures, [300, 300])).toBeUndefined();
});

it('offers no axis that points at the eye and no plane seen from its edge', () => {
  const handles = new Set(figuresOf(stand('translate'), fromFront).map(({ handle }) => handle));
  expect([...handles].sort()).toEqual(['view', 'x', 'z', 'zx']);
});

it('shows the near half of each ring, in one piece', () => {
  const toEye = unit([0.5, -1, 0.7]);
  const figures = figuresOf(stand('rotate', { toEye }), fromFront);
  expect(figures.map(({ handle }) => handle)).toEqual(['view', 'x', 'y', 'z']);
  for (const { handle, points } of figures) {
    const longest = Math.max(...points.slice(1).map(([x, y], n) => Math.hypot(x - (points[n]?.[0] ?? x), y - (points[n]?.[1] ?? y))));
    expect(longest, handle).toBeLessThan(20);
  }
});

it('has what scales at the ends of the axes', () => {
  const figures = figuresOf(stand('scale'), fromFront);
  expect(handleAt(figures, [504, 304])).toBe('x');
  expect(handleAt(figures, [401, 299])).toBe('view');
});

it('shows nothing of what is behind the eye', () => {
  expect(figuresOf(stand('translate'), () => undefined)).toEqual([]);
});
