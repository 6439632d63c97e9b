// Kills the service at random points of every kind of work: `npm run test:faults -- [runs] [seed] [--live]`, 20 runs of each
// by default. `--live` adds backends that hang, are cut off and come back, on real servers.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const live = process.argv.includes('--live');
const [runs = '20', seed = String(Date.now())] = process.argv.slice(2).filter((argument) => argument !== '--live');
process.stdout.write(`seed ${seed}, ${runs} runs of each\n`);

const failed = [
  step('npm', ['run', '--silent', 'build']),
  step('npx', ['jest', '-c', 'jest.faults.config.js']),
  ...(live
    ? [
        step(process.execPath, [
          'scripts/live/run.js',
          'test/live/neo4j-fault.test.ts',
          'test/live/neo4j-proxy.test.ts',
          'test/live/postgres-restart.test.ts',
          'test/live/backend-faults.test.ts',
        ]),
      ]
    : []),
].some((status) => status !== 0);
process.exit(failed ? 1 : 0);

function step(command, args) {
  const env = { ...process.env, FAULT_RUNS: runs, FAULT_SEED: seed };
  return spawnSync(command, args, { cwd: join(root), stdio: 'inherit', env }).status ?? 1;
}
