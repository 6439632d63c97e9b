import { addQueries, addToCounters } from '../../backends/store/learning/querylog.js';
import type { Store } from '../../backends/store/scope.js';
import type { Clock } from '../../core/clock.js';
import { servedChanges } from '../activity.js';
import { WriteBatcher } from '../learner/write/write-batcher.js';
import type { QueryRecord } from './adjustments.js';
import { queryRow } from './query-row.js';

/** Queries that may be on their way to the log at once. */
const MOST_UNWRITTEN = 10_000;
/**
 * Milliseconds for which queries gather into one write. Every write of SQLite costs the reads after it their page cache,
 * so a write for every query made the next one dearer. Other processes on PostgreSQL see a query at once.
 */
const GATHER_MS = 100;

/** Writes the query log behind the answers: a query waits for no write. */
export class QueryWriter {
  /** Queries that the store could not take, or that came while too many were on their way. */
  dropped = 0;
  private readonly batcher: WriteBatcher<QueryRecord, undefined>;
  private readonly unwritten = new Map<string, Promise<void>>();

  constructor(store: Store, clock: Clock) {
    this.batcher = new WriteBatcher(
      store,
      async ({ db }, records) => {
        await addQueries(
          db,
          records.map((record) => queryRow(record, clock())),
        );
        await addToCounters(db, servedChanges(records.map(({ owner }) => owner ?? null)));
        return records.map(() => ({ value: undefined }));
      },
      { durable: false, ...(store.dialect === 'sqlite' ? { gatherMs: GATHER_MS } : {}) },
    );
  }

  /** Takes a query; what cannot be written is dropped and counted. */
  add(record: QueryRecord): void {
    if (this.unwritten.size >= MOST_UNWRITTEN) {
      this.dropped += 1;
      return;
    }
    const written = this.batcher
      .add(record)
      .catch(() => {
        this.dropped += 1;
      })
      .finally(() => this.unwritten.delete(record.query_id));
    this.unwritten.set(record.query_id, written);
  }

  /** Resolves when this query is in the store, or dropped; at once for one that is not on its way. */
  async written(queryId: string): Promise<void> {
    const written = this.unwritten.get(queryId);
    if (written === undefined) return;
    void this.batcher.flush();
    await written;
  }

  /** Resolves when every query added before the call is in the store, or dropped. */
  async flushed(): Promise<void> {
    void this.batcher.flush();
    await Promise.all(this.unwritten.values());
  }

  /** Waits for queries that are being written. */
  async close(): Promise<void> {
    await this.flushed();
    await this.batcher.flush();
  }
}
