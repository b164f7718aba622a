import { expect, it } from 'vitest';

import { DEFAULT_STEPS, readOptions } from './tools.svelte';

it('keeps what can be kept of the options', () => {
  expect(readOptions('{"local":true,"steps":{"metres":0.5,"degrees":-3,"factor":"much"}}')).toEqual({
    local: true, stepping: false, steps: { ...DEFAULT_STEPS, metres: 0.5 },
  });
  for (const broken of [undefined, '', '{', 'null', '[1]', '{"steps":null}']) {
    expect(readOptions(broken)).toEqual({ local: false, stepping: false, steps: DEFAULT_STEPS });
  }
});
