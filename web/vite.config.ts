import { svelte } from '@sveltejs/vite-plugin-svelte';
import type { ProxyOptions } from 'vite';
import { defineConfig } from 'vitest/config';
import { compress } from './build/compress.ts';
import { viewer } from './build/viewer.ts';

/** Where `npm run dev` finds a running server. */
const server = process.env.TOOLWRIGHT_URL ?? 'http://127.0.0.1:8001';

/** Vite asks as a program does that has the server's token: the server lets no other page in. */
const api: ProxyOptions = {
  target: server,
  changeOrigin: true,
  configure: (proxy) =>
    proxy.on('proxyReq', (request) => {
      for (const name of request.getHeaderNames()) {
        if (name === 'origin' || name.startsWith('sec-fetch-')) request.removeHeader(name);
      }
      const token = process.env.TOOLWRIGHT_TOKEN;
      if (token) request.setHeader('authorization', `Bearer ${token}`);
    }),
};

export default defineConfig({
  plugins: [svelte({ configFile: false }), viewer(), compress()],
  // The server forbids inline scripts, and data: URLs anywhere but in images.
  build: { assetsInlineLimit: 0, modulePreload: { polyfill: false }, target: 'es2022' },
  server: { proxy: { '/api': api } },
  test: {
    projects: [
      {
        extends: true,
        resolve: { conditions: ['browser'] },
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'tests/unit/**/*.test.ts'],
          environment: 'node',
          // None takes a second; a machine that others build on takes its time.
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['tests/browser/**/*.test.ts'],
          environment: 'node',
          // Each wait has a limit of its own (`app.ts`), which is long, too.
          testTimeout: 180_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
