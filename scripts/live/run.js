// Starts the real servers, runs the live tests against them, stops the servers. Further arguments go to vitest.
import { spawn } from 'node:child_process';
import { startMariadb } from './mariadb.js';
import { startNeo4j } from './neo4j.js';
import { startPostgres } from './postgres.js';
import { projectRoot } from './process.js';
import { startQdrant } from './qdrant.js';

const started = [];
let status = 1;
try {
  const env = { ...process.env };
  const server = async (start) => {
    const running = await start();
    started.push(running);
    return running;
  };
  const postgres = await server(startPostgres);
  env.PG_URL = postgres.url;
  const mariadb = await server(startMariadb);
  env.MARIADB_URL = mariadb.url;
  const neo4j = await server(() => startNeo4j({ replan: false }));
  env.NEO4J_URI = neo4j.uri;
  if (env.QDRANT_URL === undefined) {
    const qdrant = await server(startQdrant);
    env.QDRANT_URL = qdrant.url;
    env.QDRANT_STAND_IN = '1';
  }
  status = await vitest(env);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
} finally {
  for (const running of started.reverse())
    await running.stop().catch((error) => process.stderr.write(`${error.message}\n`));
}
process.exit(status);

function vitest(env) {
  const args = ['vitest', 'run', '--config', 'vitest.live.config.ts', ...process.argv.slice(2)];
  return new Promise((done) => {
    const child = spawn('npx', args, { cwd: projectRoot, env, stdio: 'inherit' });
    child.once('exit', (code) => done(code ?? 1));
  });
}
