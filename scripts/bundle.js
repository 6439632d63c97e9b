// Puts the program into few files, so that a command need not find and read 1,700 modules before it begins: dist/program
// holds main.js, what runs in threads and processes of its own, and what they share. The library (dist/src) stays as it is.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
/** Files that are started by their name, which lies beside what starts them. */
const ENTRIES = [
  'cli/main',
  'backends/embedding/minilm/minilm-worker',
  'backends/embedding/static/static-worker',
  'backends/store/engine/wal-worker',
  'ingest/parse/worker/parser',
  'ingest/parse/worker/watchdog',
];
/** Packages of many modules that each start reads; all others stay in node_modules. */
const INSIDE = /^(@sinclair\/typebox|ajv|ajv-formats|commander|kysely|prom-client|yaml)(\/|$)/;

rmSync(`${dist}program`, { recursive: true, force: true });
await build({
  entryPoints: ENTRIES.map((entry) => `${dist}src/${entry}.js`),
  outdir: `${dist}program`,
  entryNames: '[name]',
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
  // What CommonJS packages inside ask for by `require`.
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
  },
  plugins: [{ name: 'packages-outside', setup: leaveOutside }],
});

/** Packages that are not listed are imported when the program runs; what a listed one needs comes with it. */
function leaveOutside({ onResolve }) {
  onResolve({ filter: /^[^./]/ }, ({ path, importer }) =>
    importer.includes('node_modules') || INSIDE.test(path) ? undefined : { path, external: true },
  );
}
