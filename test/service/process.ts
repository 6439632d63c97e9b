import { type ChildProcess, spawn } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programArguments } from '../support/program.js';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** kill -9, and wait until it is gone. */
  kill(): Promise<void>;
  /** SIGTERM; returns the exit code. */
  stop(): Promise<number | null>;
}

/** `svc serve` as a process of its own. */
export async function startProcess(
  directory: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [...programArguments(), 'serve', '--port', '0', '--variant', 'a', '--json'], {
    cwd: root,
    env: { ...process.env, SVC_DATA_DIR: directory, SVC_EMBEDDING: 'static', SVC_LOG_LEVEL: 'error', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((done) => child.once('exit', (code) => done(code)));
  const url = await listening(child);
  return {
    url,
    pid: child.pid!,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((ready, fail) => {
    let out = '';
    let err = '';
    child.stderr?.on('data', (chunk) => {
      err += chunk;
    });
    child.stdout?.on('data', (chunk) => {
      out += chunk;
      const url = /"a":\s*"(http:[^"]+)"/.exec(out)?.[1];
      if (url !== undefined) ready(url);
    });
    child.once('exit', (code) => fail(new Error(`The service ended with ${code} before it listened: ${err}`)));
  });
}

/** POST with JSON; null where the connection broke. */
export async function post(url: string, path: string, body: unknown) {
  try {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  } catch {
    return null;
  }
}
