import { defineConfig } from 'vitest/config';

import { ClosingLine } from './e2e/harness/reporter.ts';

export default defineConfig({
  test: {
    include: ['e2e/journeys/*.ts'],
    reporters: ['default', new ClosingLine()],
    // Two cores draw, simulate and test at once: one journey at a time, and time enough.
    fileParallelism: false,
    // A machine that does other work at once can starve a journey; who needed it is named at the end.
    retry: 1,
    testTimeout: 180_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
