/**
 * `compress`: beside each file of the page the same file compressed, as the server sends it. It is done
 * once, when the page is built, with all the effort there is.
 */

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const texts = /\.(?:js|css|svg|html)$/;
/** Below this, the heads of a response weigh more. */
const SMALLEST = 1024;

const brotli = (bytes: Buffer) =>
  promisify(brotliCompress)(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
const zipped = (bytes: Buffer) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION });

async function beside(file: string): Promise<void> {
  const bytes = await readFile(file);
  if (bytes.length < SMALLEST) return;
  await writeFile(`${file}.br`, await brotli(bytes));
  await writeFile(`${file}.gz`, await zipped(bytes));
}

export function compress(): Plugin {
  let folder = '';
  return {
    name: 'compress',
    apply: 'build',
    configResolved: (config) => void (folder = join(config.root, config.build.outDir)),
    closeBundle: {
      // Behind everything that others write there.
      order: 'post',
      sequential: true,
      async handler() {
        const names = (await readdir(folder, { recursive: true })).filter((it) => texts.test(it));
        await Promise.all(names.map((it) => beside(join(folder, it))));
      },
    },
  };
}
