import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { Store } from '../../src/backends/store/scope.js';
import type { Credit } from '../../src/learning/credit/credit.js';
import type { RecordedItem } from '../../src/learning/feedback/adjustments.js';
import { Feedback } from '../../src/learning/feedback/feedback.js';
import { Interoception } from '../../src/learning/feedback/interoception.js';
import type { InteroceptionSettings } from '../../src/learning/feedback/interoception-settings.js';
import { START } from './fixture.js';

export interface FeedbackFixture {
  readonly store: Store;
  readonly feedback: Feedback;
  readonly interoception: Interoception;
  now: number;
  /** Logs a query that returned these items; the vector points along one axis. */
  ask(query_id: string, items: readonly RecordedItem[], question?: { text?: string; axis?: number }): Promise<void>;
  close(): Promise<void>;
}

export interface FixtureOptions {
  readonly store?: Store;
  readonly settings?: Partial<InteroceptionSettings>;
  readonly credit?: Credit;
  readonly creditWeight?: number;
}

/** Feedback and interoception over a real SQLite store in memory; the clock stands still. */
export async function feedbackFixture(options: FixtureOptions = {}): Promise<FeedbackFixture> {
  const store = options.store ?? (await openSqlite(':memory:'));
  const clock = (): number => fixture.now;
  const fixture: FeedbackFixture = {
    store,
    now: START,
    feedback: new Feedback(store, { clock, interoception: options.settings, credit: options.credit }),
    interoception: new Interoception(store, {
      clock,
      model: () => 'test',
      interoception: options.settings,
      creditWeight: options.creditWeight,
    }),
    ask: async (query_id, items, { text = 'who wrote it?', axis = 0 } = {}) => {
      await fixture.feedback.recordQuery({
        query_id,
        text,
        domains: ['d'],
        mode: 'auto',
        vector: along(axis),
        model: 'test',
        items,
      });
      await fixture.feedback.flushed();
    },
    close: async () => {
      await fixture.feedback.close();
      await store.close();
    },
  };
  return fixture;
}

/** A unit vector between axis 0 (at 0) and axis 1 (at 1). */
export function along(axis: number): Float32Array {
  const angle = (axis * Math.PI) / 2;
  return Float32Array.from([Math.cos(angle), Math.sin(angle), 0, 0]);
}

export function item(id: string, more: Partial<RecordedItem> = {}): RecordedItem {
  return { id, score: 0.5, domain: 'd', ...more };
}

/** Everything that feedback taught, as rows; versions left out, for they count writes. */
export async function taught(store: Store): Promise<unknown> {
  const strip = (rows: ReadonlyArray<Record<string, unknown>>) => rows.map(({ version: _, ...row }) => row);
  return {
    edges: strip(await store.db.selectFrom('edge_factor').selectAll().orderBy('edge_id').execute()),
    items: strip(await store.db.selectFrom('item_prior').selectAll().orderBy('item_id').orderBy('question').execute()),
    feedback: await store.db.selectFrom('feedback').selectAll().orderBy('query_id').orderBy('item_id').execute(),
    credit: strip(
      await store.db
        .selectFrom('learner_arm')
        .select(['arm_id', 'alpha', 'beta', 'pulls'])
        .where('pulls', '>', 0)
        .orderBy('arm_id')
        .execute(),
    ),
  };
}
