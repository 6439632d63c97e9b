// What the live servers share: free ports, pid files, waiting, stopping. Plain JavaScript, so that it runs before a build.
import { spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
/** Downloads that survive between runs (jars, Python environments); outside the checkout, readable by the servers' user. */
export const cacheDir = process.env.LIVE_CACHE ?? join(tmpdir(), `svc-live-${process.getuid?.() ?? 'user'}`);

/** A port that is free now. */
export function freePort() {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

export function sleep(ms) {
  return new Promise((done) => setTimeout(done, ms));
}

/** Waits until something accepts connections on the port; throws with the end of the log otherwise. */
export async function waitForPort(port, { seconds = 240, log, pid } = {}) {
  const end = Date.now() + seconds * 1000;
  while (Date.now() < end) {
    if (await accepts(port)) return;
    if (pid !== undefined && !isAlive(pid)) break;
    await sleep(150);
  }
  throw new Error(`Nothing listens on port ${port}.${log && existsSync(log) ? `\n${tail(log)}` : ''}`);
}

function accepts(port) {
  return new Promise((done) => {
    const socket = createConnection({ host: '127.0.0.1', port });
    socket.once('connect', () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => done(false));
  });
}

export function tail(file) {
  return readFileSync(file, 'utf8').split('\n').slice(-30).join('\n');
}

export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Starts a server of its own process group, output into `log`, its pid into `pidFile`. */
export function startDetached(command, args, { log, pidFile, env = process.env, cwd } = {}) {
  mkdirSync(dirname(log), { recursive: true });
  const out = openSync(log, 'a');
  const child = spawn(command, args, { detached: true, stdio: ['ignore', out, out], env, cwd });
  closeSync(out);
  child.unref();
  if (child.pid === undefined) throw new Error(`${command} cannot be started.`);
  writeFileSync(pidFile, String(child.pid));
  return child.pid;
}

/** Ends the process of a pid file: politely, then with -9; returns when it is gone. */
export async function stopByPidFile(pidFile, { signal = 'SIGTERM', seconds = 20 } = {}) {
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  if (isAlive(pid)) {
    process.kill(pid, signal);
    const end = Date.now() + seconds * 1000;
    while (isAlive(pid) && Date.now() < end) await sleep(100);
    if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    while (isAlive(pid)) await sleep(50);
  }
  rmSync(pidFile, { force: true });
}

/** Runs a command to its end; throws with its output when it fails. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { encoding: 'utf8', ...options });
  if (result.error !== undefined) throw new Error(`${command}: ${result.error.message}`);
  if (result.status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${result.stdout}\n${result.stderr}`);
  return result.stdout;
}

export function isRoot() {
  return typeof process.getuid === 'function' && process.getuid() === 0;
}

/** A Python environment with these packages, made once, though two processes may ask for it; returns the folder. */
export function pythonEnvironment(name, packages) {
  const folder = join(cacheDir, 'python', name);
  const stamp = join(folder, 'packages.txt');
  const wanted = packages.join('\n');
  const isMade = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
  if (isMade()) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  const unlock = lock(`${folder}.lock`);
  try {
    if (isMade()) return folder;
    rmSync(folder, { recursive: true, force: true });
    run('python3', ['-m', 'venv', folder]);
    run(join(folder, 'bin', 'pip'), ['install', '--quiet', '--disable-pip-version-check', ...packages]);
    writeFileSync(stamp, wanted);
  } finally {
    unlock();
  }
  return folder;
}

/** How long another process may take to make an environment, ms. */
const LONGEST_MS = 600_000;

/** Waits until this process alone holds the lock of that name; one that is older than any environment takes counts for nothing. */
function lock(folder) {
  for (;;) {
    try {
      mkdirSync(folder);
      return () => rmdirSync(folder);
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const since = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - since > LONGEST_MS) rmSync(folder, { recursive: true, force: true });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  }
}
