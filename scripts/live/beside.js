// Runs a command beside real servers: the part that the live tests and the benchmarks share.
import { spawn } from 'node:child_process';
import { startMariadb } from './mariadb.js';
import { startNeo4j } from './neo4j.js';
import { startPostgres } from './postgres.js';
import { projectRoot } from './process.js';
import { startQdrant } from './qdrant.js';

/** How each server starts, and the variables by which a command finds it. */
export const SERVERS = {
  postgres: { start: startPostgres, variables: (server) => ({ PG_URL: server.url }) },
  mariadb: { start: startMariadb, variables: (server) => ({ MARIADB_URL: server.url }) },
  neo4j: { start: () => startNeo4j({ replan: false }), variables: (server) => ({ NEO4J_URI: server.uri }) },
  qdrant: { start: startQdrant, variables: (server) => ({ QDRANT_URL: server.url, QDRANT_STAND_IN: '1' }) },
};

/**
 * Starts the servers together, runs the command, stops them, and ends with its status. `sets`: so many of each server; the
 * variables of the second end in `_2`.
 */
export async function runBeside(names, command, args, sets = 1) {
  const started = [];
  let status = 1;
  try {
    const env = { ...process.env };
    const wanted = Array.from({ length: sets }, (_, i) => names.map((name) => ({ name, set: i + 1 }))).flat();
    const starts = await Promise.allSettled(
      wanted.map(async ({ name, set }) => {
        const server = await SERVERS[name].start();
        started.push(server);
        for (const [variable, value] of Object.entries(SERVERS[name].variables(server)))
          env[set === 1 ? variable : `${variable}_${set}`] = value;
      }),
    );
    // Only when all have started or failed, so that none is left running.
    for (const { reason } of starts) if (reason !== undefined) throw reason;
    status = await new Promise((done) => {
      const child = spawn(command, args, { cwd: projectRoot, env, stdio: 'inherit' });
      child.once('exit', (code) => done(code ?? 1));
    });
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  } finally {
    await Promise.all(
      started.map((server) => server.stop().catch((error) => process.stderr.write(`${error.message}\n`))),
    );
  }
  process.exit(status);
}
