import { expect, it } from 'vitest';

import { Drafts } from './drafts.svelte';

it('keeps what was written for each topic, and never writes over it', () => {
  const drafts = new Drafts();
  const draft = drafts.of('topic', '/a', 'T');
  draft.offer('{"x": 0}');
  expect(draft.json).toBe('{"x": 0}');
  draft.offer('{"y": 0}');
  expect(draft.json).toBe('{"y": 0}'); // Nobody had written anything.
  draft.json = '{"y": 5}';
  draft.offer('{"z": 0}');
  expect(drafts.of('topic', '/a', 'T').json).toBe('{"y": 5}');
  expect(drafts.of('service', '/a', 'T').json).toBe('');
});
