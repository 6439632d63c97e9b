import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { loadConfig } from '../../src/config.js';
import { Learning } from '../../src/learning/learning.js';
import { createApp } from '../../src/server/app.js';
import { listen } from '../../src/server/listen.js';
import { variantA } from '../../src/server/routes/variant-a.js';
import type { Service } from '../../src/service.js';
import { createLogger } from '../../src/telemetry/logger.js';

/** Acknowledged observations a second over HTTP, 64 connections, the whole middleware, a SQLite file. */
export async function httpSpeed(seconds: number): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'bandit-http-'));
  const store = await openSqlite(join(directory, 'bench.db'));
  const learning = new Learning(store, { clock: Date.now, seed: 1, openStore: openSqlite });
  const routes = variantA.filter(({ path }) => path.startsWith('/v1/learning/'));
  const service = { learning } as unknown as Service;
  const app = createApp({ config: loadConfig({ environment: {} }), service, routes, log: createLogger('silent') });
  const server = await listen(app.callback(), { host: '127.0.0.1', port: 0, drainMs: 1000 });
  const result = await autocannon({
    url: `${server.url}/v1/learning/observe`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ learner: 'bench', arm_id: 'a', outcome: 'accepted' }),
    connections: 64,
    duration: seconds,
    // The client in a thread of its own: what is measured is the service.
    workers: 1,
  });
  await server.close();
  await learning.close();
  await store.close();
  rmSync(directory, { recursive: true });
  return result['2xx'] / result.duration;
}
