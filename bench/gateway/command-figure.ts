import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** As it is installed where it is built, else from its sources, which takes longer to start. */
const BUILT = 'dist/program/main.js';
const SVC = existsSync(BUILT) ? [BUILT] : ['--import', 'tsx', 'src/cli/main.ts'];

/** Runs a command of the service on a data directory; returns its name, its time and the most memory that it held. */
export async function commandFigure(folder: string, ...args: string[]): Promise<readonly [string, string]> {
  const started = performance.now();
  const child = spawn(process.execPath, [...SVC, ...args], {
    env: { ...process.env, SVC_DATA_DIR: folder, SVC_EMBEDDING: 'none' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let bytes = 0;
  let lines = 0;
  let first = 0;
  let peak = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    if (bytes === 0) first = performance.now() - started;
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 10) lines += 1;
    peak = Math.max(peak, peakMegabytes(child.pid!));
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`svc ${args.join(' ')} ended with code ${code}.`);
  const seconds = ((performance.now() - started) / 1000).toFixed(2);
  return [
    `svc ${args.join(' ')}`,
    `${seconds} s, first byte after ${(first / 1000).toFixed(2)} s, ${lines} lines, ${(bytes / 1e6).toFixed(1)} MB, ${Math.round(peak)} MB held at most`,
  ];
}

function peakMegabytes(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
