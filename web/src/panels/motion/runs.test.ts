import { expect, it } from 'vitest';

import type { Run } from '../../world/teaching';
import { beginSecs, recordingText, runView } from './runs';
import { draftWith, motionWith, pointWith } from './testing';

const draft = draftWith({ waypoints: [pointWith('1', 1), pointWith('2', 2), pointWith('3', 5)], start: '2' }, { duration: 3 });
const run = (change: Partial<Run>): Run => ({ goalId: 'g', state: 'running', text: '', time: undefined, backward: false, loops: false, ...change });
const shown = (change: Partial<Run>) => {
  const view = runView(run(change), draft, undefined);
  return view === undefined ? '' : `${view.tone}: ${view.title}, ${view.text} ${view.progress ?? ''}`.trim();
};

it('says how far it is, in the direction that it goes', () => {
  expect(shown({ time: 3.5 })).toBe('busy: Running, 1.50 / 3.00 s 0.5');
  expect(shown({ time: 4.25, backward: true })).toBe('busy: Running backward, 0.75 / 3.00 s 0.25');
  expect(shown({ time: 99, loops: true })).toBe('busy: Looping, 3.00 / 3.00 s 1');
  expect(shown({ text: 'Goes to the start' })).toBe('busy: Running, Goes to the start');
});

it('tells outcomes apart', () => {
  expect(shown({ state: 'succeeded' })).toBe('good: Done,');
  expect(shown({ state: 'aborted', text: 'elbow is 0.3 rad off' })).toBe('bad: Aborted, elbow is 0.3 rad off');
  expect(shown({ state: 'preempted' })).toBe('quiet: Replaced,');
  expect(shown({ state: 'canceled' })).toBe('quiet: Stopped,');
  expect(shown({ state: 'refused', text: 'No' })).toBe('bad: Refused, No');
  expect(shown({ state: 'unknown' })).toBe('quiet: Unknown,');
});

it('a refusal of the newest stands before what an older one did', () => {
  expect(runView(run({ state: 'succeeded' }), draft, 'Not armed')).toMatchObject({ tone: 'bad', title: 'Refused', text: 'Not armed' });
  expect(runView(undefined, draft, undefined)).toBeUndefined();
});

it('a motion begins at its marker, else at the first waypoint that counts', () => {
  const waypoints = [{ ...pointWith('1', 1), enabled: false }, pointWith('2', 2)];
  expect(beginSecs(motionWith({ waypoints }))).toBe(2);
  expect(beginSecs(motionWith())).toBe(0);
});

it('counts samples', () => {
  expect(recordingText({ twin: 'real', duration: 2, samples: 1 })).toBe('2.00 s, 1 sample');
  expect(recordingText({ twin: 'real', duration: 2, samples: 40 })).toBe('2.00 s, 40 samples');
});
