// `npm run bench:green`: 100,000 model calls through the intake, then the summary, the reports and the export of all traces;
// prints a table.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '../src/backends/store/engine/sqlite.js';
import { composeGateway } from '../src/compose/gateway/gateway.js';
import { loadConfig } from '../src/config.js';
import { seededRandom } from '../src/core/random.js';
import { createLogger } from '../src/telemetry/logger.js';
import { commandFigure } from './gateway/command-figure.js';

const CALLS = 100_000;
const BATCH = 500;
const MODELS = ['claude-sonnet-4-5', 'gpt-4o', 'gpt-5-mini', 'mistral-large-2411', 'gemini-2.5-flash', 'zorp-1'];
const END = Date.UTC(2026, 9, 1);

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
const store = await openSqlite(join(folder, 'svc.sqlite'));
const gateway = composeGateway({
  store,
  config: loadConfig({ environment: {} }),
  clock: () => END,
  log: createLogger('warn'),
});
const random = seededRandom('bench');
let closed = false;
const rows: Array<readonly [what: string, figure: string]> = [];

const timed = async (what: string, work: () => Promise<unknown>): Promise<void> => {
  await work();
  const times: number[] = [];
  for (let i = 0; i < 9; i += 1) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  rows.push([what, `${times.sort((a, b) => a - b)[4]!.toFixed(1)} ms`]);
};

try {
  const started = performance.now();
  const memory: number[] = [];
  for (let at = 0; at < CALLS; at += BATCH) {
    const calls = Array.from({ length: BATCH }, (_, i) => ({
      key: `b:${at + i}`,
      traceId: `t${at + i}`,
      runId: `r${at + i}`,
      timestamp: END - Math.floor(random() * 3 * 365 * 86_400_000),
      provider: 'bench',
      model: MODELS[(at + i) % MODELS.length]!,
      inputTokens: Math.floor(20_000 * random()),
      outputTokens: Math.floor(2000 * random()),
      cacheReadTokens: 0,
    }));
    const runs = calls.map(({ key, traceId, runId, timestamp, model }) => ({ key, traceId, runId, timestamp, model }));
    await gateway.intake.submit({ calls, runs, rewards: [], received: BATCH, rejected: 0 });
    if (at % 20_000 === 0) memory.push(process.memoryUsage().rss / 2 ** 20);
  }
  const seconds = (performance.now() - started) / 1000;
  rows.push(['intake, one core', `${Math.round(CALLS / seconds)} calls/s`]);
  rows.push(['resident memory while taking in', `${memory.map((mb) => Math.round(mb)).join(', ')} MB`]);
  await timed('summary, median of 9', () => gateway.green.summary());
  await timed('timeseries of hours', () => gateway.green.timeseries('1h'));
  await timed('GHG Protocol report', () => gateway.green.reports.ghgProtocol('2025'));
  await timed('TCFD report', () => gateway.green.reports.tcfd('2025', 2024));
  // What an export does between the store and its output, without the start of a process.
  const held: number[] = [];
  await timed('JSON of 100,000 traces, in process', async () => {
    let bytes = 0;
    for (let after: number | null = 0; after !== null; ) {
      const page = await gateway.green.tracesAfter(after, 500);
      for (const trace of page.traces) bytes += Buffer.byteLength(JSON.stringify(trace));
      after = page.next;
    }
    held.push(process.memoryUsage().rss / 2 ** 20);
    if (bytes < 1e7) throw new Error('The export is too short.');
  });
  rows.push(['resident memory after each of them', `${held.map((mb) => Math.round(mb)).join(', ')} MB`]);
  await gateway.intake.close();
  await store.close();
  closed = true;
  for (const limit of ['1', String(CALLS)]) {
    rows.push(await commandFigure(folder, 'green', 'export', '--format', 'json', '--limit', limit));
  }
  for (const [what, figure] of rows) process.stdout.write(`${what.padEnd(34)} ${figure}\n`);
} finally {
  if (!closed) {
    await gateway.intake.close();
    await store.close();
  }
  rmSync(folder, { recursive: true, force: true });
}
