// Structured ingest over HTTP, query latency, also during an ingest, a small domain among many, restart: `npm run bench:scale -- --concepts 10000`.
// Each figure is printed with what it was measured on; `--json FILE` writes them too.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { START_FLAGS } from '../scripts/start-flags.js';
import { seededRandom } from '../src/core/random.js';

const { values } = parseArgs({
  options: {
    concepts: { type: 'string', default: '10000' },
    model: { type: 'string', default: 'static' },
    /** Edges that leave a concept. */
    degree: { type: 'string', default: '2' },
    queries: { type: 'string', default: '200' },
    json: { type: 'string' },
  },
});
const CONCEPTS = Number(values.concepts);
const QUERIES = Number(values.queries);
const DEGREE = Number(values.degree);
const BATCH = 500;
/** Concepts that are written while questions are asked, at most. */
const BESIDE = 20_000;
const random = seededRandom('scale');
const words = readFileSync('models/minilm/vocab.txt', 'utf8')
  .split('\n')
  .filter((word) => /^[a-z]{4,12}$/.test(word))
  .slice(0, 6000);
const pick = (): string => words[Math.floor(random() ** 2 * words.length)] ?? 'thing';
const RELATIONS = ['requires', 'part_of', 'uses', 'contains', 'similar_to', 'implements', 'supports'];

const names: string[] = [];
for (let i = 0; i < CONCEPTS; i += 1) names.push(`${capital(pick())} ${pick()} ${i}`);

/** Services that have not ended yet: none outlives a benchmark that fails. */
const children = new Set<ChildProcess>();
const directory = mkdtempSync(join(tmpdir(), 'bench-scale-'));
const figures: Record<string, number | string> = {
  concepts: CONCEPTS,
  edges: CONCEPTS * DEGREE,
  model: values.model,
  cores: cpus().length,
  date: new Date().toISOString().slice(0, 10),
};
try {
  await measure();
  for (const [name, value] of Object.entries(figures)) {
    process.stdout.write(`${name.padEnd(34)} ${typeof value === 'number' ? Math.round(value * 100) / 100 : value}\n`);
  }
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(figures, null, 2));
} finally {
  for (const child of children) child.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  let server = await serve();
  const started = performance.now();
  const worked = processorSeconds(server.child);
  for (let at = 0; at < CONCEPTS; at += BATCH) await post(server.url, '/v1/ingest/structured', batch(at));
  figures['ingest, s'] = (performance.now() - started) / 1000;
  figures['ingest, processor s'] = processorSeconds(server.child) - worked;
  figures['ingest, concepts/s'] = CONCEPTS / ((performance.now() - started) / 1000);
  await post(server.url, '/v1/ingest/structured', {
    domain: 'small',
    concepts: Array.from({ length: 20 }, (_, i) => ({
      name: `Sextant part ${i}`,
      description: `${pick()} ${pick()} of the sextant`,
    })),
    edges: Array.from({ length: 19 }, (_, i) => ({
      source: `Sextant part ${i}`,
      target: `Sextant part ${i + 1}`,
      relation: 'part_of',
    })),
  });
  await latencies(server, '');
  await idle(server.child);
  await latencies(server, ' once idle');
  const small = await timed(
    server.url,
    { context: 'parts of the sextant', domains: ['small'], mode: 'graph', top_k: 20 },
    50,
  );
  figures['small domain, graph, p50 ms'] = small.p50;
  const answer = await post(server.url, '/v1/query', {
    context: 'parts of the sextant',
    domains: ['small'],
    mode: 'graph',
    top_k: 20,
  });
  figures['small domain, found of 20'] = (answer.items as unknown[]).length;
  figures['resident after queries, MB'] = resident(server.child);
  await server.stop();
  figures['data directory, MB'] = Number(execFileSync('du', ['-sm', directory], { encoding: 'utf8' }).split('\t')[0]);
  const restart = performance.now();
  server = await serve();
  await fetch(`${server.url}/v1/ready`);
  figures['restart until ready, s'] = (performance.now() - restart) / 1000;
  const first = performance.now();
  await post(server.url, '/v1/query', { context: 'first question after a restart', mode: 'graph', top_k: 20 });
  figures['first query after restart, ms'] = performance.now() - first;
  await latencies(server, ' after restart');
  figures['resident after restart, MB'] = resident(server.child);
  await besideIngest(server);
  await server.stop();
}

async function latencies({ url, child }: Running, when: string): Promise<void> {
  // A service that has answered this many questions: its code is compiled. The first one is reported by itself.
  await timed(url, { mode: 'graph', top_k: 20, domains: ['scale'] }, QUERIES / 2);
  for (const mode of ['graph', 'vec', 'auto']) {
    const worked = processorSeconds(child);
    const { p50, p95 } = await timed(url, { mode, top_k: 20, domains: ['scale'] }, QUERIES);
    figures[`query ${mode}${when}, p50 ms`] = p50;
    figures[`query ${mode}${when}, p95 ms`] = p95;
    figures[`query ${mode}${when}, processor ms each`] = ((processorSeconds(child) - worked) * 1000) / (QUERIES + 10);
  }
}

/** Asks new questions, one after the other, while more concepts and edges are written into the same domain. */
async function besideIngest({ url }: Running): Promise<void> {
  const more = names.slice(0, BESIDE).map((name) => `${name} anew`);
  let writing = true;
  const written = (async () => {
    for (let at = 0; at < more.length; at += BATCH) await post(url, '/v1/ingest/structured', batch(at, more));
  })().finally(() => {
    writing = false;
  });
  const times: number[] = [];
  while (writing) {
    const at = performance.now();
    await post(url, '/v1/query', { context: question(), mode: 'graph', top_k: 20, domains: ['scale'] });
    times.push(performance.now() - at);
  }
  await written;
  const { p50, p95 } = quantiles(times);
  figures['queries during an ingest'] = times.length;
  figures['query graph during an ingest, p50 ms'] = p50;
  figures['query graph during an ingest, p95 ms'] = p95;
}

async function timed(url: string, body: Record<string, unknown>, count: number) {
  const times: number[] = [];
  for (let i = 0; i < count + 10; i += 1) {
    const context = (body.context as string | undefined) ?? question();
    const at = performance.now();
    await post(url, '/v1/query', { context, ...body });
    if (i >= 10) times.push(performance.now() - at);
  }
  return quantiles(times);
}

function quantiles(times: number[]): { readonly p50: number; readonly p95: number } {
  times.sort((a, b) => a - b);
  return { p50: times[Math.floor(times.length * 0.5)] ?? 0, p95: times[Math.floor(times.length * 0.95)] ?? 0 };
}

/** Every question is new: none is answered from the cache of questions. */
function question(): string {
  return `what does ${names[Math.floor(random() * names.length)]} have to do with ${pick()} and ${pick()}?`;
}

function batch(at: number, all: readonly string[] = names) {
  const own = all.slice(at, at + BATCH);
  return {
    domain: 'scale',
    concepts: own.map((name) => ({
      name,
      description: `${pick()} ${pick()} ${pick()} for ${pick()} and ${pick()} ${pick()}`,
    })),
    edges: own.flatMap((name) =>
      Array.from({ length: DEGREE }, () => ({
        source: name,
        target: all[Math.floor(random() * Math.min(all.length, at + BATCH))] ?? name,
        relation: RELATIONS[Math.floor(random() * RELATIONS.length)] ?? 'uses',
        confidence: 0.5 + random() / 2,
      })),
    ),
  };
}

async function post(url: string, path: string, body: unknown): Promise<Record<string, unknown>> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(`${path}: ${response.status} ${String(answer.error)}`);
  return answer;
}

interface Running {
  readonly url: string;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

function serve(): Promise<Running> {
  const program = existsSync('dist/program/main.js')
    ? ['dist/program/main.js']
    : ['--import', 'tsx', 'src/cli/main.ts'];
  const child = spawn(
    process.execPath,
    [...START_FLAGS, ...program, 'serve', '--port', '0', '--variant', 'a', '--json'],
    {
      env: { ...process.env, SVC_DATA_DIR: directory, SVC_EMBEDDING: values.model, SVC_LOG_LEVEL: 'error' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  children.add(child);
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  void ended.then(() => children.delete(child));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  return new Promise((ready, fail) => {
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
      const url = /"a":\s*"(http:[^"]+)"/.exec(out)?.[1];
      if (url !== undefined) ready({ url, child, stop });
    });
    child.once('exit', (code) => fail(new Error(`The service ended with ${code}.`)));
  });
}

/** Processor time of the server in seconds, as Linux counts it: other work on the machine hardly changes it. */
function processorSeconds(child: ChildProcess): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Waits until the server has nothing left to do by itself, such as building vector graphs. */
async function idle(child: ChildProcess): Promise<void> {
  const started = performance.now();
  for (let quiet = 0; quiet < 3 && performance.now() - started < 600_000; ) {
    const before = processorSeconds(child);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    quiet = processorSeconds(child) - before < 0.05 ? quiet + 1 : 0;
  }
  figures['idle after, s'] = (performance.now() - started) / 1000;
}

/** Resident memory of the server in MB, as Linux counts it. */
function resident(child: ChildProcess): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
