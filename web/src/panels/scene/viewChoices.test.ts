import { expect, it } from 'vitest';

import { readOverlays, toggledOverlay } from './viewChoices.svelte';

it('remembers overlays that there are', () => {
  expect(readOverlays('joints nonsense frames')).toEqual(['joints', 'frames']);
  expect(readOverlays(undefined)).toEqual([]);
});

it('switches one and leaves the others', () => {
  const on = toggledOverlay(['joints'], 'collisions');
  expect(on).toEqual(['collisions', 'joints']);
  expect(toggledOverlay(on, 'joints')).toEqual(['collisions']);
});
