import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { Store } from '../../src/backends/store/scope.js';
import { loadConfig } from '../../src/config.js';
import { Learning, type LearningOptions } from '../../src/learning/learning.js';
import { createApp } from '../../src/server/app.js';
import { type Listening, listen } from '../../src/server/listen.js';
import { variantA } from '../../src/server/routes/variant-a.js';
import type { Service } from '../../src/service.js';
import { rememberingLog } from '../server/harness.js';

export interface LearningFixture {
  readonly store: Store;
  readonly learning: Learning;
  /** Milliseconds; move it to let time pass. */
  now: number;
  close(): Promise<void>;
}

export const START = Date.UTC(2026, 0, 1);

/** Learning over a real SQLite store in memory, with a clock that stands still. */
export async function learningFixture(options: Partial<LearningOptions> = {}): Promise<LearningFixture> {
  const store = await openSqlite(':memory:');
  const fixture: LearningFixture = {
    store,
    now: START,
    learning: new Learning(store, { clock: () => fixture.now, seed: 1, openStore: openSqlite, ...options }),
    close: async () => {
      await fixture.learning.close();
      await store.close();
    },
  };
  return fixture;
}

/** The learning routes of variant A, the whole middleware included, on a free port. */
export function learningServer(learning: Learning): Promise<Listening> {
  const routes = variantA.filter(({ path }) => path.startsWith('/v1/learning/'));
  const service = { learning } as unknown as Service;
  const app = createApp({ config: loadConfig({ environment: {} }), service, routes, log: rememberingLog().log });
  return listen(app.callback(), { host: '127.0.0.1', port: 0, drainMs: 2000 });
}
