// `npm run bench:intake`: spans over HTTP into a service that has one core. First 2,000 spans/s for 60 s, then as many as senders can
// push for 15 s. Prints a table. `--seconds N` and `--rate N` change the first part.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { otlpBody } from './intake/spans.js';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, rate: { type: 'string', default: '2000' } },
});
const SECONDS = Number(values.seconds);
const RATE = Number(values.rate);
/** Spans of a request, as the batch processors of SDKs send them. */
const BATCH = 500;
const FLOOD_SECONDS = 15;
const FLOOD_SENDERS = 40;

const folder = mkdtempSync(join(tmpdir(), 'svc-intake-'));
const server = spawn(process.execPath, ['--expose-gc', '--import', 'tsx', 'bench/intake/serve.ts'], {
  env: { ...process.env, SVC_DATA_DIR: folder, SVC_EMBEDDING: 'none', SVC_PORT: '0' },
  stdio: ['pipe', 'pipe', 'inherit'],
});
const lines = createInterface({ input: server.stdout! })[Symbol.asyncIterator]();
const nextLine = async (): Promise<string> => {
  const { value, done } = await lines.next();
  if (done === true) throw new Error('The service ended.');
  return value;
};
const address = await nextLine();
pin(server.pid!);

const rows: Array<readonly [what: string, figure: string]> = [];
const latencies: number[] = [];
let accepted = 0;
let refused = 0;
let withoutHint = 0;

async function send(body: Buffer): Promise<boolean> {
  const started = performance.now();
  const response = await fetch(`${address}/v1/traces`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-protobuf', 'Content-Encoding': 'gzip' },
    body: body as never,
  });
  await response.arrayBuffer();
  latencies.push(performance.now() - started);
  if (response.status === 200) accepted += BATCH;
  else if (response.status === 429) {
    refused += 1;
    if (response.headers.get('retry-after') === null) withoutHint += 1;
  } else throw new Error(`The service answered with status ${response.status}.`);
  return response.status === 200;
}

try {
  for (let i = 0; i < 20; i += 1) await send(otlpBody(BATCH));
  latencies.length = 0;
  const before = accepted;
  const cpu = cpuSeconds(server.pid!);
  const memory: number[][] = [];
  const noteMemory = async (): Promise<void> => {
    server.stdin!.write('memory\n');
    memory.push((await nextLine()).split(' ').map(Number));
  };
  const sending: Array<Promise<unknown>> = [];
  const started = performance.now();
  for (let sent = 0; sent < SECONDS * RATE; sent += BATCH) {
    const due = started + (1000 * sent) / RATE;
    if (due > performance.now()) await sleep(due - performance.now());
    sending.push(send(otlpBody(BATCH)));
    if (sent % (RATE * 5) === 0) await noteMemory();
  }
  await Promise.all(sending);
  const took = (performance.now() - started) / 1000;
  await noteMemory();
  rows.push([`${RATE} spans/s for ${SECONDS} s`, `${Math.round((accepted - before) / took)} spans/s taken`]);
  rows.push(['requests refused', String(refused)]);
  rows.push(['core used', `${Math.round((100 * (cpuSeconds(server.pid!) - cpu)) / took)} %`]);
  latencies.sort((a, b) => a - b);
  rows.push(['answer to 500 spans, p50 / p99', `${quantile(0.5)} / ${quantile(0.99)} ms`]);
  for (const [i, what] of ['resident', 'heap after collection', 'external', 'array buffers'].entries()) {
    rows.push([`${what}, every 5 s`, `${memory.map((one) => one[i]).join(', ')} MB`]);
  }

  const bodies = Array.from({ length: 400 }, () => otlpBody(BATCH));
  const calm = accepted;
  const end = performance.now() + 1000 * FLOOD_SECONDS;
  let most = 0;
  await Promise.all(
    Array.from({ length: FLOOD_SENDERS }, async () => {
      while (performance.now() < end) {
        const body = bodies.pop() ?? otlpBody(BATCH);
        // A sender that is refused comes back with the same spans, as exporters do, only sooner than the answer asks.
        while (!(await send(body))) await sleep(100);
        most = Math.max(most, residentMegabytes(server.pid!));
      }
    }),
  );
  rows.push(['flood of 40 senders', `${Math.round((accepted - calm) / FLOOD_SECONDS)} spans/s taken`]);
  rows.push(['429 answers, without Retry-After', `${refused}, ${withoutHint}`]);
  rows.push(['most resident memory', `${Math.round(most)} MB`]);
  const intake = (await (await fetch(`${address}/__gateway__/api/green/intake`)).json()) as { accepted: number };
  const summary = (await (await fetch(`${address}/__gateway__/api/green/summary`)).json()) as { traceCount: number };
  rows.push(['spans acknowledged, and recorded', `${accepted}, ${intake.accepted}`]);
  rows.push(['model calls: two in five spans', `${(2 * accepted) / 5}, ${summary.traceCount}`]);
  for (const [what, figure] of rows) process.stdout.write(`${what.padEnd(34)} ${figure}\n`);
} finally {
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.stdin!.end();
  await ended;
  rmSync(folder, { recursive: true, force: true });
}

function quantile(p: number): number {
  return Math.round(latencies[Math.floor(p * (latencies.length - 1))]!);
}

/** All threads of a process on one core, where the system has `taskset`. */
function pin(pid: number): void {
  try {
    execFileSync('taskset', ['-a', '-c', '-p', '0', String(pid)], { stdio: 'pipe' });
  } catch {
    process.stderr.write('There is no taskset here: the service may use more than one core.\n');
  }
}

function residentMegabytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes ?? 0) / 1024;
}

/** Processor time of a process and its threads so far. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
