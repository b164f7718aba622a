import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { Paced } from './paced';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

it('works at once, then at its pace, and once more after the last reason', () => {
  let done = 0;
  const paced = new Paced(100, () => { done += 1; });
  paced.due();
  expect(done).toBe(1);
  for (let ms = 0; ms < 60; ms += 10) {
    vi.advanceTimersByTime(10);
    paced.due();
  }
  expect(done).toBe(1);
  // Nothing comes any more: what came last is not lost.
  vi.advanceTimersByTime(1000);
  expect(done).toBe(2);
});

it('forgets what waits when it is not wanted any more', () => {
  let done = 0;
  const paced = new Paced(100, () => { done += 1; });
  paced.due();
  paced.due();
  paced.dispose();
  vi.advanceTimersByTime(1000);
  expect(done).toBe(1);
});
