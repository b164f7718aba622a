import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { Agreed, PATIENCE_MS } from './agreed';

interface Clock {
  readonly paused: boolean;
  readonly speed: number;
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function control(): { tell: (paused: boolean, speed?: number) => void; agreed: Agreed<Clock>; shown: string[] } {
  const shown: string[] = [];
  const agreed = new Agreed<Clock>(({ paused, speed }) => shown.push(`${paused ? 'paused' : 'runs'} ${speed}`));
  const tell = (paused: boolean, speed = 1): void => {
    agreed.use({ paused, speed });
  };
  return { tell, agreed, shown };
}

it('statistics from before an agreement do not take it back', () => {
  const { tell, agreed, shown } = control();
  tell(true);
  agreed.agree({ paused: false });
  tell(true);
  tell(false);
  // From here on it counts what is told: somebody else pauses.
  tell(true);
  expect(shown).toEqual(['paused 1', 'runs 1', 'runs 1', 'runs 1', 'paused 1']);
});

it('each part waits for its own confirmation', () => {
  const { tell, agreed, shown } = control();
  tell(true);
  agreed.agree({ paused: false });
  agreed.agree({ speed: 5 });
  tell(false);
  tell(true);
  expect(shown.slice(-2)).toEqual(['runs 5', 'paused 5']);
});

it('what is told for long enough is true', () => {
  const { tell, agreed, shown } = control();
  tell(true);
  agreed.agree({ paused: false });
  tell(true);
  vi.advanceTimersByTime(PATIENCE_MS);
  expect(shown.at(-1)).toBe('paused 1');
});

it('an agreement that was told already is not waited for', () => {
  const { tell, agreed, shown } = control();
  tell(false);
  agreed.agree({ paused: false });
  tell(true);
  expect(shown.at(-1)).toBe('paused 1');
  agreed.clear();
  agreed.agree({ paused: false });
  expect(shown).toHaveLength(3);
});
