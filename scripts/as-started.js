// Runs a TypeScript program under the flags of Node that `npm start` sets: `node scripts/as-started.js bench/ingest.ts [ARGUMENTS]`.
import { spawnSync } from 'node:child_process';
import { START_FLAGS } from './start-flags.js';

const { status } = spawnSync(process.execPath, [...START_FLAGS, '--import', 'tsx', ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
