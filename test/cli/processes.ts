import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { programArguments } from '../support/program.js';

const running = new Set<ChildProcess>();
const directories: string[] = [];

/** A temporary directory that `cleanUp` removes. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'svc-test-'));
  directories.push(directory);
  return directory;
}

/** A TypeScript file of ours in a process of its own. */
export function start(file: string, args: readonly string[], environment: Record<string, string> = {}): ChildProcess {
  return startNode(['--import', 'tsx', resolve(file), ...args], environment);
}

/** `svc` in a process of its own. */
export function startSvc(args: readonly string[], environment: Record<string, string> = {}): ChildProcess {
  return startNode([...programArguments(), ...args], environment);
}

function startNode(args: readonly string[], environment: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '', ...environment },
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** The first line that a process writes to standard output. */
export async function firstLine(child: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of child.stdout!.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (text.includes('\n')) break;
  }
  return text.split('\n')[0] ?? '';
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs to the end. */
export async function finished(child: ChildProcess): Promise<Finished> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => {
    stdout += String(chunk);
  });
  child.stderr?.on('data', (chunk) => {
    stderr += String(chunk);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

/** Ends a process and waits until it has ended. */
export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exited = once(child, 'exit');
  child.kill(signal);
  const [code] = (await exited) as [number | null];
  return code;
}

/** Ends what is still running and removes the directories: for `afterEach`. */
export async function cleanUp(): Promise<void> {
  await Promise.all([...running].map((child) => end(child, 'SIGKILL')));
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
}
