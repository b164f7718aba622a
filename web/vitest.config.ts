import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Classes with state are compiled; nothing is drawn.
  plugins: [svelte()],
  test: { include: ['src/**/*.test.ts'], environment: 'node' },
});
