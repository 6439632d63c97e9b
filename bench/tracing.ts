// `npm run bench:tracing`: requests/s on /v1/query with tracing off and on, in one paired run: services in processes of their own
// over copies of one directory, asked in turns; and processor time per request, which other work on the machine changes less.
// `--concepts N` (10000), `--rounds N` (12), `--seconds N` (4) for each turn.
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { traced } from '../src/telemetry/traced.js';
import { post, type ServerProcess, startProcess } from '../test/service/process.js';
import { machine } from './machine.js';

const { values } = parseArgs({
  options: {
    concepts: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '12' },
    seconds: { type: 'string', default: '4' },
  },
});
const CONCEPTS = Number(values.concepts);
const BATCH = 500;
const CONNECTIONS = 8;

const folder = mkdtempSync(join(tmpdir(), 'svc-tracing-'));
const collected = { requests: 0, bytes: 0 };
/** Takes spans and throws them away: what a collector does with them is not the service's cost. */
const collector = createServer((request, response) => {
  collected.requests += 1;
  request.on('data', (chunk: Buffer) => (collected.bytes += chunk.length));
  request.on('end', () => response.setHeader('Content-Type', 'application/json').end('{}'));
});
await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;

const ARMS = {
  off: {},
  'off, again': {},
  on: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
  'on, one trace in ten': { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, SVC_TRACING_SAMPLE: '0.1' },
} as const;
type Arm = keyof typeof ARMS;
const names = Object.keys(ARMS) as Arm[];
const servers = new Map<Arm, ServerProcess>();

try {
  const source = join(folder, 'source');
  const filling = await startProcess(source);
  for (let at = 0; at < CONCEPTS; at += BATCH) await fill(filling.url, at);
  await filling.stop();
  for (const name of names) {
    const directory = join(folder, name);
    cpSync(source, directory, { recursive: true });
    servers.set(name, await startProcess(directory, ARMS[name]));
  }
  for (const name of names) await rate(name, 3);
  const rates = new Map<Arm, Turn[]>(names.map((name) => [name, []]));
  for (let round = 0; round < Number(values.rounds); round += 1) {
    // Each round begins with another one, so that none always comes first.
    const order = names.map((_, i) => names[(i + round) % names.length]!);
    for (const name of order) rates.get(name)!.push(await rate(name, Number(values.seconds)));
  }
  await report(rates);
} finally {
  for (const server of servers.values()) await server.stop();
  collector.close();
  rmSync(folder, { recursive: true, force: true });
}

async function fill(url: string, at: number): Promise<void> {
  const numbers = Array.from({ length: Math.min(BATCH, CONCEPTS - at) }, (_, i) => at + i);
  const answer = await post(url, '/v1/ingest/structured', {
    domain: 'd',
    source_id: `part ${at}`,
    concepts: numbers.map((i) => ({ name: nameOf(i), description: `${nameOf(i)} feeds ${nameOf(i * 7)}.` })),
    edges: numbers
      .filter((i) => i > at + 1)
      .flatMap((i) => [1, 2].map((back) => ({ source: nameOf(i), target: nameOf(i - back), relation: 'uses' }))),
  });
  if (answer?.status !== 200) throw new Error(`The service answered ${answer?.status}.`);
}

function nameOf(i: number): string {
  return `pump ${(i % CONCEPTS).toString(36)} station ${i % 97}`;
}

interface Turn {
  readonly perSecond: number;
  /** Milliseconds of processor time per request. */
  readonly cpu: number;
}

/** One turn of one service, with new questions only. */
async function rate(name: Arm, seconds: number): Promise<Turn> {
  const { url, pid } = servers.get(name)!;
  const before = cpuMs(pid);
  const result = await autocannon({
    url: `${url}/v1/query`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    connections: CONNECTIONS,
    duration: seconds,
    requests: [
      {
        setupRequest: (request) => ({
          ...request,
          body: JSON.stringify({ context: `What feeds ${nameOf(Math.floor(Math.random() * CONCEPTS))}?`, top_k: 10 }),
        }),
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refusals, ${result.errors} errors`);
  const { total } = result.requests;
  return { perSecond: total / result.duration, cpu: (cpuMs(pid) - before) / total };
}

/** Processor time of a process and its threads so far, ms. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Nanoseconds that measuring one call of a port takes while nothing is traced. */
async function callCost(): Promise<number> {
  const plain = { kind: 'bench', call: () => Promise.resolve(1) };
  const measured = traced('store', { ...plain });
  const time = async (target: typeof plain): Promise<number> => {
    const started = performance.now();
    for (let i = 0; i < 300_000; i += 1) await target.call();
    return ((performance.now() - started) * 1e6) / 300_000;
  };
  await time(plain);
  await time(measured);
  return (await time(measured)) - (await time(plain));
}

async function report(rates: ReadonlyMap<Arm, readonly Turn[]>): Promise<void> {
  const base = rates.get('off')!;
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  process.stdout.write(
    `${CONCEPTS} concepts, ${CONNECTIONS} connections, ${values.rounds} turns of ${values.seconds} s. ${machine()}\n\n`,
  );
  process.stdout.write(
    '| Tracing | requests/s | against off | processor ms a request | against off |\n|---|--:|--:|--:|--:|\n',
  );
  for (const [name, all] of rates) {
    // Turn by turn against the same round of off; medians.
    const against = (of: keyof Turn): string =>
      name === 'off' ? '' : percent(median(all.map((one, i) => one[of] / base[i]![of] - 1)));
    const [perSecond, cpu] = (['perSecond', 'cpu'] as const).map((of) => median(all.map((one) => one[of])));
    process.stdout.write(
      `| ${name} | ${perSecond!.toFixed(0)} | ${against('perSecond')} | ${cpu!.toFixed(1)} | ${against('cpu')} |\n`,
    );
  }
  process.stdout.write(
    `\nThe collector got ${collected.requests} requests, ${(collected.bytes / 1e6).toFixed(0)} MB.\n`,
  );
  process.stdout.write(
    `A call of a port takes ${(await callCost()).toFixed(0)} ns more for its histogram and the look for a span.\n`,
  );
}

function median(all: readonly number[]): number {
  const sorted = [...all].sort((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.ceil((sorted.length - 1) / 2)]!) / 2;
}
