/**
 * `viewer`: the page once more as one script and one style sheet, for conversations that are exported as
 * HTML: such a file opens without a server, and so has to have everything in it.
 */

import { svelte } from '@sveltejs/vite-plugin-svelte';
import { join } from 'node:path';
import { build, type Plugin } from 'vite';

export function viewer(): Plugin {
  let root = '';
  let outDir = '';
  return {
    name: 'viewer',
    apply: 'build',
    configResolved: (config) =>
      void ({
        root,
        build: { outDir },
      } = config),
    async closeBundle() {
      await build({
        configFile: false,
        root,
        logLevel: 'warn',
        plugins: [svelte({ configFile: false })],
        build: {
          outDir,
          emptyOutDir: false,
          copyPublicDir: false,
          assetsInlineLimit: 0,
          target: 'es2022',
          cssCodeSplit: false,
          chunkSizeWarningLimit: 2_000,
          lib: {
            entry: join(root, 'src/viewer.ts'),
            formats: ['iife'],
            name: 'toolwrightViewer',
            fileName: () => 'viewer.js',
            cssFileName: 'viewer',
          },
        },
      });
    },
  };
}
