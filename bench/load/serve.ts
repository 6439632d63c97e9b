/** The service in a process of its own, which tells its parent its memory: heap after natural collections, and resident. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { compose } from '../../src/compose.js';
import { loadConfig } from '../../src/config.js';
import { startServer } from '../../src/server/start.js';
import { createLogger } from '../../src/telemetry/logger.js';
import type { MemorySample } from './memory.js';

const RESIDENT_EVERY_MS = 1000;
const directory = mkdtempSync(join(tmpdir(), 'svc-bench-load-'));
const data = join(directory, 'data');
mkdirSync(data);
const environment = {
  SVC_EMBEDDING: process.env.LOAD_EMBEDDING ?? 'static',
  SVC_DATA_DIR: data,
  SVC_LOG_LEVEL: 'silent',
  SVC_PORT: '0',
  SVC_DRAIN_SECONDS: '1',
};
const config = loadConfig({ environment });
const service = await compose(config);
const running = await startServer({ config, service, log: createLogger('silent'), variants: ['a'] });

let samples: MemorySample[] = [];
const began = performance.now();
const note = (kind: MemorySample['kind'], bytes: number) =>
  samples.push({ kind, seconds: (performance.now() - began) / 1000, bytes });
const observer = new PerformanceObserver((list) => {
  const major = list.getEntries().some((entry) => {
    const { kind } = (entry as unknown as { detail?: { kind?: number } }).detail ?? {};
    return kind === constants.NODE_PERFORMANCE_GC_MAJOR;
  });
  if (major) note('heap', process.memoryUsage().heapUsed);
});
observer.observe({ entryTypes: ['gc'] });
setInterval(() => note('resident', process.memoryUsage.rss()), RESIDENT_EVERY_MS).unref();

process.on('message', (request) => {
  if (request === 'end') void end();
  else {
    // A collection that is asked for, before and after a run: never while its latencies are measured.
    globalThis.gc?.();
    note('heap', process.memoryUsage().heapUsed);
    process.send?.({ samples });
    samples = [];
  }
});
process.send?.({ url: running.urls.a });

async function end(): Promise<void> {
  await running.close();
  await service.close();
  rmSync(directory, { recursive: true, force: true });
  process.exit(0);
}
