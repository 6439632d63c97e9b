/**
 * Health while hostile requests come in, and how long one holds the event loop:
 * `npm run bench:hostile [-- --size 10485760] [--only PATTERN] [--quick]`. Each request is sent alone; the service, and
 * who asks it for health, run in processes of their own. Writes docs/benchmarks/hostile.md and bench/results/hostile.json,
 * but not with `--only` or `--quick` (16 KiB a request).
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { parseArgs } from 'node:util';
import { startWorld, type World } from './hostile/children.js';
import { CROWDS, sendCrowd } from './hostile/crowds.js';
import { type Figure, page, summary } from './hostile/page.js';
import { type Hostile, hostileRequests } from './hostile/requests.js';

const { values: options } = parseArgs({
  options: {
    size: { type: 'string', default: String(10 * 1024 * 1024 - 1024) },
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
  },
});
const only = options.only === undefined ? null : new RegExp(options.only, 'u');
const size = options.quick ? 16_384 : Number(options.size);

/** Sends a request; status 0 where the service ended the connection before its answer could be read. */
function send(url: string, { path, headers, body }: Hostile): Promise<number> {
  return new Promise((resolve) => {
    let status = 0;
    const sending = request(`${url}${path}`, {
      method: 'POST',
      headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
    });
    sending.once('response', (answer) => {
      status = answer.statusCode ?? 0;
      answer.resume();
      answer.once('close', () => resolve(status));
    });
    sending.once('error', () => resolve(status));
    sending.end(body);
  });
}

async function measured(
  world: World,
  { kind, path, run }: { readonly kind: string; readonly path: string; readonly run: () => Promise<number> },
): Promise<Figure> {
  await world.holds();
  const begun = performance.now();
  const status = await run();
  const ms = performance.now() - begun;
  const figure = { kind, path, status, ms, ...(await world.holds()) };
  if (figure.computed > 30 || process.env.BENCH_VERBOSE !== undefined) {
    process.stderr.write(`${JSON.stringify(figure)}\n`);
  }
  return figure;
}

/** Measures a request alone. */
function measuredRequest(world: World, hostile: Hostile): Promise<Figure> {
  return measured(world, { ...hostile, run: () => send(world[hostile.variant], hostile) });
}

const world = await startWorld();
try {
  // The first answers are slow: code is compiled.
  for (const hostile of hostileRequests(2048)) if (hostile.kind === 'a question') await measuredRequest(world, hostile);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  await world.latencies();
  const figures: Figure[] = [];
  for (const hostile of hostileRequests(size)) {
    if (only !== null && !only.test(`${hostile.kind} ${hostile.path}`)) continue;
    figures.push(await measuredRequest(world, hostile));
  }
  for (const crowd of CROWDS) {
    if (only !== null && !only.test(`${crowd.kind} ${crowd.path}`)) continue;
    figures.push(await measured(world, { ...crowd, run: () => sendCrowd(world.a, crowd) }));
  }
  const times = await world.latencies();
  console.log(summary(figures, times));
  if (!options.quick && only === null) {
    mkdirSync('bench/results', { recursive: true });
    writeFileSync('bench/results/hostile.json', `${JSON.stringify({ figures, health_ms: times }, undefined, 2)}\n`);
    writeFileSync('docs/benchmarks/hostile.md', page(figures, times));
  }
} finally {
  await world.close();
}
