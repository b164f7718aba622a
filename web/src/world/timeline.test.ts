import { expect, it } from 'vitest';

import { branchThrough, liveBranch } from './timeline';
import { exampleTimeline } from './timelineTesting';

it('reads branches, where they leave one another, and bookmarks', () => {
  const { branches, bookmarks, maxBytes, dropped } = exampleTimeline();
  expect(branches.map(({ name, fork, endSecs }) => [name, fork?.of, fork?.atSecs, endSecs])).toEqual([
    ['main', undefined, undefined, 2.5],
    ['main-1', 'main', 1.5, 5.7],
    ['trial', 'main', 1, 3],
  ]);
  expect(bookmarks).toEqual([{ name: 'start', author: 'page 1', branch: 'main', epoch: 0, atSecs: 0.5 }]);
  expect([maxBytes, dropped]).toEqual([268_435_456, 0]);
});

it('an instant is known by its stretch and its time, whatever branches are called', () => {
  const timeline = exampleTimeline();
  const through = (epoch: number, secs: number) => branchThrough(timeline, { epoch, secs })?.name;
  expect(through(0, 1)).toBe('main');
  expect(through(0, 3)).toBe('main-1');
  expect(through(2, 2)).toBe('main');
  // The live branch has gone on since it was told.
  expect(through(2, 9)).toBe('main');
  expect(through(1, 2)).toBe('trial');
  expect(through(1, 9)).toBeUndefined();
  expect(through(7, 1)).toBeUndefined();
  expect(liveBranch(timeline)?.name).toBe('main');
});
