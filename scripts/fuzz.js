// Sends generated requests, allowed and forbidden ones, to every route and every tool: `npm run test:fuzz -- [count]
// [seed]`, 100,000 by default. No answer is 5xx (but 501 and 503, which say so), and nothing crashes.
import { spawn } from 'node:child_process';

/** Properties that share the count: two for each of about 100 routes, one for each of 34 tools. */
const PROPERTIES = 240;
const [count = '100000', seed = String(Math.floor(Math.random() * 2 ** 31))] = process.argv.slice(2);
const runs = Math.max(1, Math.ceil(Number(count) / PROPERTIES));
process.stdout.write(`seed ${seed}, ${runs} requests for each property\n`);
const child = spawn('npx', ['jest', '--testTimeout=3600000', 'test/server/schemas.test.ts', 'test/mcp/fuzz.test.ts'], {
  stdio: 'inherit',
  env: { ...process.env, SCHEMA_RUNS: String(runs), SCHEMA_SEED: seed },
});
child.on('exit', (code) => process.exit(code ?? 1));
