import { readFileSync } from 'node:fs';
import { post, startProcess } from '../../test/service/process.js';

export interface Stage {
  /** `graph expand`, `vector query`, … */
  readonly call: string;
  /** Calls in a query: with an engine elsewhere each is a round trip at least. */
  readonly calls: number;
  readonly ms: number;
}

export interface Served {
  readonly start_seconds: number;
  readonly query_p50_ms: number;
  readonly query_p95_ms: number;
  readonly resident_mb: number;
  readonly stages: readonly Stage[];
}

const WARM = 50;
const QUERIES = 200;

/** Starts the service on a directory and asks new questions; stages as its own figures at `/metrics` have them. */
export async function serve(directory: string, passages: number): Promise<Served> {
  const began = performance.now();
  const server = await startProcess(directory);
  try {
    while ((await fetch(`${server.url}/v1/ready`)).status !== 200) await new Promise((done) => setTimeout(done, 50));
    const start_seconds = (performance.now() - began) / 1000;
    for (let i = 0; i < WARM; i += 1) await ask(server.url, i, passages);
    const before = await portFigures(server.url);
    const times: number[] = [];
    for (let i = WARM; i < WARM + QUERIES; i += 1) times.push(await ask(server.url, i, passages));
    const after = await portFigures(server.url);
    times.sort((a, b) => a - b);
    const stages = [...after].map(([call, { count, sum }]) => {
      const { count: count0 = 0, sum: sum0 = 0 } = before.get(call) ?? {};
      return { call, calls: rounded((count - count0) / QUERIES), ms: rounded(((sum - sum0) * 1000) / QUERIES) };
    });
    return {
      start_seconds: rounded(start_seconds),
      query_p50_ms: rounded(times[QUERIES / 2]!),
      query_p95_ms: rounded(times[Math.floor(QUERIES * 0.95)]!),
      resident_mb: Math.round(residentBytes(server.pid) / 2 ** 20),
      stages: stages.filter(({ calls }) => calls >= 0.05).sort((a, b) => b.ms - a.ms),
    };
  } finally {
    await server.stop();
  }
}

/** Milliseconds of a question that was not asked before. */
async function ask(url: string, i: number, passages: number): Promise<number> {
  const section = (i * 7919) % Math.max(1, passages);
  const began = performance.now();
  const answer = await post(url, '/v1/query', {
    context: `Which valve does pump ${section % 997} feed, and what does sensor ${section} record?`,
    top_k: 20,
  });
  if (answer?.status !== 200) throw new Error(`The service answered ${answer?.status}.`);
  return performance.now() - began;
}

async function portFigures(url: string): Promise<Map<string, { count: number; sum: number }>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const found = new Map<string, { count: number; sum: number }>();
  for (const [, part, labels, value] of text.matchAll(/^svc_port_duration_seconds_(sum|count)\{(.*)\} (\S+)$/gm)) {
    const label = (name: string): string => new RegExp(`${name}="([^"]*)"`).exec(labels!)?.[1] ?? '';
    const call = `${label('port')} ${label('method')}`;
    const figure = found.get(call) ?? { count: 0, sum: 0 };
    figure[part as 'sum' | 'count'] += Number(value);
    found.set(call, figure);
  }
  return found;
}

function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
