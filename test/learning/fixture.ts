import type { Store } from '../../src/backends/store/scope.js';
import { openSqlite } from '../../src/backends/store/sqlite.js';
import { Learning, type LearningOptions } from '../../src/learning/learning.js';

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
