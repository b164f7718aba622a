import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['e2e/bench/page.ts'],
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 120_000,
  },
});
