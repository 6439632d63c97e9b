// Kills the service at random points of every kind of work: `npm run test:faults -- [runs] [seed] [--live] [--only PATTERN]`,
// 20 runs of each by default. `--live` adds backends that hang, are cut off and come back, on real servers. `--only` runs the
// faults whose name fits a regular expression: `during (text|observe)$`, `full disk`, `PostgreSQL:`. Prints a row for each:
// runs, seconds until the next start serves (median, longest), seconds of processor time of it. A start of more than 5 s
// fails; FAULT_START_MS allows more on a machine that does other work.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { live: { type: 'boolean', default: false }, only: { type: 'string' } },
});
const { live } = values;
const only = values.only === undefined ? [] : ['-t', values.only];
const [runs = '20', seed = String(Date.now())] = positionals;
process.stdout.write(`seed ${seed}, ${runs} runs of each\n`);

const failed = [
  step('npm', ['run', '--silent', 'build']),
  step('npx', ['jest', '-c', 'jest.faults.config.js', ...only]),
  ...(live
    ? [
        step(process.execPath, [
          'scripts/live/run.js',
          'test/live/neo4j-fault.test.ts',
          'test/live/neo4j-proxy.test.ts',
          'test/live/postgres-restart.test.ts',
          'test/live/backend-faults.test.ts',
          ...only,
        ]),
      ]
    : []),
].some((status) => status !== 0);
process.exit(failed ? 1 : 0);

function step(command, args) {
  const env = { FAULT_START_MS: '5000', ...process.env, FAULT_RUNS: runs, FAULT_SEED: seed };
  return spawnSync(command, args, { cwd: join(root), stdio: 'inherit', env }).status ?? 1;
}
