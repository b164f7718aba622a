import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

/** Address of a running `retake`, for `npm run dev`. */
const host = process.env['RETAKE_HOST'] ?? 'http://127.0.0.1:8642';

export default defineConfig({
  plugins: [svelte()],
  build: {
    target: 'es2022',
    // three.js alone is larger than the default limit, and the page comes from the same machine.
    chunkSizeWarningLimit: 1500,
  },
  server: {
    proxy: {
      '/ws': { target: host, ws: true, changeOrigin: true, rewriteWsOrigin: true },
      '/mesh': { target: host, changeOrigin: true },
      '/plots': { target: host, changeOrigin: true },
      '/guide': { target: host, changeOrigin: true },
    },
  },
});
