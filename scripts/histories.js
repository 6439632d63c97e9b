// Runs random histories against fresh services: `npm run test:histories -- [count] [seed] [--live]`; 2,000 by default,
// half as many on the graph in memory, one in fifty with kills. `--live`: on PostgreSQL and Neo4j instead.
import { spawn } from 'node:child_process';

const live = process.argv.includes('--live');
const [count = '2000', seed = 'many'] = process.argv.slice(2).filter((argument) => argument !== '--live');
const [program, ...given] = live
  ? [process.execPath, 'scripts/live/run.js', 'test/live/histories.test.ts']
  : ['npx', 'jest', 'test/service/histories.test.ts'];
const child = spawn(program, given, {
  stdio: 'inherit',
  env: { ...process.env, HISTORIES: count, HISTORIES_SEED: seed },
});
child.on('exit', (code) => process.exit(code ?? 1));
