import { type ChildProcess, spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../core/package-root.js';
import { untilStopped } from './until-stopped.js';

const DEBOUNCE_MS = 200;
const WATCHED = /\.(ts|js|json|yaml)$/;

/** Runs the same command without `--reload` in a child, and again whenever code or configuration changes. */
export async function serveWithReload(): Promise<number> {
  let child = start();
  let timer: NodeJS.Timeout | undefined;
  let restarting = Promise.resolve();
  const restart = async () => {
    process.stderr.write('A file changed; restarting.\n');
    await stop(child);
    child = start();
  };
  const changed = (_event: string, file: string | null) => {
    if (file === null || !WATCHED.test(file)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      restarting = restarting.then(restart);
    }, DEBOUNCE_MS);
  };
  const code = directoryOfCode();
  const watchers = [code, join(packageRoot(), 'config')].map((path) => watch(path, { recursive: true }, changed));

  await untilStopped();
  for (const watcher of watchers) watcher.close();
  clearTimeout(timer);
  await restarting;
  await stop(child);
  return 0;
}

/** Returns the directory of what runs: the program of the build, or the sources. */
function directoryOfCode(): string {
  const own = dirname(fileURLToPath(import.meta.url));
  return basename(own) === 'cli' ? dirname(own) : own;
}

function start(): ChildProcess {
  const again = process.argv.slice(1).filter((argument) => argument !== '--reload');
  return spawn(process.execPath, [...process.execArgv, ...again], { stdio: 'inherit' });
}

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
