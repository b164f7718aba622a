import { expect, it } from 'vitest';

import type { Place, Shown } from '../panels/timeline/host';
import { exampleTimeline } from '../world/timelineTesting';
import { LinkedCursor } from './linkedCursor';

function cursor(shown?: Shown): { done: string[]; linked: LinkedCursor } {
  const done: string[] = [];
  const linked = new LinkedCursor({
    timeline: exampleTimeline(),
    shown,
    look: (_, { branch, secs }: Place) => done.push(`${branch} ${secs}`),
    lookAtPresent: () => done.push('live'),
  });
  return { done, linked };
}

it('shows the instant under the cursor, and the present once it leaves', () => {
  const { done, linked } = cursor();
  linked.follow(undefined, 2.5);
  linked.follow(1.2, 2.5);
  linked.follow(1.3, 2.5);
  linked.follow(undefined, 2.5);
  linked.follow(undefined, 2.5);
  expect(done).toEqual(['main 1.2', 'main 1.3', 'live']);
});

it('what is not there yet is the present, and what was looked at comes back', () => {
  const shown: Shown = { branch: 'trial', secs: 2, bookmark: '', found: { epoch: 1, secs: 2, iterations: 2000, remark: '' } };
  const { done, linked } = cursor(shown);
  linked.follow(9, 2.5);
  expect(done).toEqual([]);
  linked.follow(1, 2.5);
  linked.follow(9, 2.5);
  expect(done).toEqual(['main 1', 'trial 2']);
});
