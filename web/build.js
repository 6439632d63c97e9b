// Builds the console and the two dashboards, each into one script and one style sheet that the service writes into the page it serves:
// they load nothing else. Prints their sizes; fails above the limit.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const here = dirname(fileURLToPath(import.meta.url));
const outDir = join(here, '..', 'dist', 'web');
/** Bytes of a page, compressed. */
const LIMIT = 300_000;

for (const page of ['green', 'learning', 'console']) {
  await build({
    root: here,
    configFile: false,
    logLevel: 'warn',
    define: { 'process.env.NODE_ENV': '"production"' },
    esbuild: { jsx: 'automatic', jsxImportSource: 'preact', legalComments: 'none' },
    build: {
      outDir,
      emptyOutDir: page === 'green',
      target: 'es2022',
      lib: { entry: join(here, 'src', page, 'main.tsx'), formats: ['iife'], name: page, fileName: () => `${page}.js`, cssFileName: page },
    },
  });
  const size = [`${page}.js`, `${page}.css`]
    .map((file) => gzipSync(readFileSync(join(outDir, file))).length)
    .reduce((sum, bytes) => sum + bytes, 0);
  process.stdout.write(`${page} page: ${(size / 1000).toFixed(1)} kB compressed\n`);
  if (size > LIMIT) throw new Error(`The ${page} page is larger than ${LIMIT} bytes compressed.`);
}
