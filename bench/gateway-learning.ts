// `npm run bench:learning`: 10,000 runs of 40 arms through the intake, then the figures of the learning API and the exports of the
// command line, each in a process of its own; prints a table.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '../src/backends/store/engine/sqlite.js';
import { composeGateway } from '../src/compose/gateway/gateway.js';
import { loadConfig } from '../src/config.js';
import { seededRandom } from '../src/core/random.js';
import { createLogger } from '../src/telemetry/logger.js';
import { commandFigure } from './gateway/command-figure.js';

const RUNS = 10_000;
const ARMS = Array.from({ length: 40 }, (_, i) => ({ armId: `tool:bench:${i}`, tokenCost: 50 + 10 * i }));
const BATCH = 250;
const END = Date.UTC(2026, 9, 1);
const HOUR = 3_600_000;

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
const rows: Array<readonly [what: string, figure: string]> = [];
const random = seededRandom('bench');

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  await work();
  const times: number[] = [];
  for (let i = 0; i < 9; i += 1) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  rows.push([`${what}, median of 9`, `${times.sort((a, b) => a - b)[4]!.toFixed(1)} ms`]);
}

try {
  const store = await openSqlite(join(folder, 'svc.sqlite'));
  const config = loadConfig({
    environment: { SVC_LEARNING_PHASE: 'active' },
  });
  let now = END;
  const gateway = composeGateway({ store, config, clock: () => now, log: createLogger('warn') });
  const started = performance.now();
  for (let at = 0; at < RUNS; at += BATCH) {
    now = END - Math.floor((RUNS - at) / 420) * HOUR;
    const runs = Array.from({ length: BATCH }, (_, i) => ({
      key: `b:${at + i}`,
      runId: `r${at + i}`,
      traceId: `t${at + i}`,
      timestamp: now + i,
      endTimestamp: now + i + 900,
      provider: 'openai',
      model: 'gpt-4o',
      isBaseline: i % 10 === 0,
      arms: ARMS.map((arm, n) => ({ ...arm, included: true, referenced: random() < n / 40 })),
      usage: { input: 9000, output: 300, cacheRead: 0, total: 9300 },
    }));
    await gateway.intake.submit({ calls: [], runs, rewards: [], received: BATCH, rejected: 0 });
  }
  const seconds = (performance.now() - started) / 1000;
  rows.push([`${RUNS} runs of ${ARMS.length} arms taken in`, `${Math.round(RUNS / seconds)} runs/s`]);
  await timed('summary', () => gateway.learning.summary());
  await timed('posteriors', () => gateway.learning.posteriors());
  await timed('traces, a page of 1,000', () => gateway.learning.traces({ limit: 1000, offset: 0 }));
  await timed('timeseries of tokens', () => gateway.learning.timeseries('tokens', '1h'));
  await timed('timeseries of convergence', () => gateway.learning.timeseries('convergence', '1h'));
  await timed('select of 40 arms', () => gateway.learning.select(ARMS));
  await gateway.intake.close();
  await store.close();
  rows.push(await commandFigure(folder, 'learning', 'export', '--format', 'csv'));
  rows.push(await commandFigure(folder, 'learning', 'export', '--format', 'json'));
  for (const [what, figure] of rows) process.stdout.write(`${what.padEnd(44)} ${figure}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
