// Runs a command beside real servers and stops them: `node scripts/live/with.js postgres,qdrant -- npm run bench:vectors`.
import { spawn } from 'node:child_process';
import { startMariadb } from './mariadb.js';
import { startPostgres } from './postgres.js';
import { projectRoot } from './process.js';
import { startQdrant } from './qdrant.js';

const SERVERS = {
  postgres: { start: startPostgres, variables: (server) => ({ PG_URL: server.url }) },
  mariadb: { start: startMariadb, variables: (server) => ({ MARIADB_URL: server.url }) },
  qdrant: { start: startQdrant, variables: (server) => ({ QDRANT_URL: server.url, QDRANT_STAND_IN: '1' }) },
};

const [names = '', dashes, command, ...args] = process.argv.slice(2);
if (dashes !== '--' || command === undefined || !names.split(',').every((name) => Object.hasOwn(SERVERS, name))) {
  process.stderr.write(`Usage: with.js <${Object.keys(SERVERS).join(',')}> -- <command…>\n`);
  process.exit(2);
}
const started = [];
let status = 1;
try {
  const env = { ...process.env };
  for (const name of names.split(',')) {
    const server = await SERVERS[name].start();
    started.push(server);
    Object.assign(env, SERVERS[name].variables(server));
  }
  status = await new Promise((done) => {
    const child = spawn(command, args, { cwd: projectRoot, env, stdio: 'inherit' });
    child.once('exit', (code) => done(code ?? 1));
  });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
} finally {
  for (const server of started.reverse())
    await server.stop().catch((error) => process.stderr.write(`${error.message}\n`));
}
process.exit(status);
