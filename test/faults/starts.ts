import { readFileSync } from 'node:fs';
import { type ServerProcess, startProcess } from '../service/process.js';

/** The next start serves within so long, ms: the campaign sets it. The runs of CI assert no time. */
const START_MS = Number(process.env.FAULT_START_MS ?? Number.POSITIVE_INFINITY);

/** A service that was started and answers, and what that took. */
export interface TimedStart {
  readonly server: ServerProcess;
  /** From the start of the process until it is ready: `/v1/ready` answers 200. */
  readonly ms: number;
  /** Processor time of its threads until then, ms: what other work on the machine changes less. */
  readonly cpuMs: number;
}

const PATIENCE_MS = 300_000;

/** Starts the service on a directory and waits until it serves. Throws where that takes longer than START_MS. */
export async function timedStart(
  directory: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<TimedStart> {
  const began = performance.now();
  const server = await startProcess(directory, environment);
  while ((await fetch(`${server.url}/v1/ready`)).status !== 200) {
    if (performance.now() - began > PATIENCE_MS) throw new Error('The service was never ready.');
    await new Promise((done) => setTimeout(done, 20));
  }
  const ms = performance.now() - began;
  const cpuMs = processorTime(server.pid);
  if (ms > START_MS) {
    await server.kill();
    throw new Error(`The start took ${Math.round(ms)} ms (${cpuMs} ms of processor time); ${START_MS} are allowed.`);
  }
  return { server, ms, cpuMs };
}

/** Prints how long starts took after one kind of fault, a row of docs/benchmarks/faults.md. */
export function noteStarts(name: string, starts: ReadonlyArray<Pick<TimedStart, 'ms' | 'cpuMs'>>): void {
  const seconds = (of: (start: Pick<TimedStart, 'ms' | 'cpuMs'>) => number): number[] =>
    starts.map((start) => of(start) / 1000).sort((a, b) => a - b);
  const wall = seconds(({ ms }) => ms);
  const cpu = seconds(({ cpuMs }) => cpuMs);
  const median = (sorted: readonly number[]) => sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  const cells = [median(wall), wall.at(-1) ?? 0, median(cpu)].map((value) => value.toFixed(1));
  process.stderr.write(`| ${name} | ${starts.length} | ${cells.join(' | ')} |\n`);
}

/** Of a process and its threads so far, ms; 0 where the system does not tell. */
function processorTime(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    // In ticks of 10 ms, after the state of the process.
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return 0;
  }
}
