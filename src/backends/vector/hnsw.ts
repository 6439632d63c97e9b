import { SvcError } from '../../core/errors.js';
import type { JsonObject } from '../../core/model.js';
import type { Store, WriteScope } from '../store/scope.js';
import { checkDimension, checkedVector, checkSameShape, indexNotFound } from './check-vector.js';
import { compareText } from './filter.js';
import { answer, scoresOf } from './hnsw/answer.js';
import { GraphBudget } from './hnsw/graph/graph-budget.js';
import { GraphFile } from './hnsw/graph/graph-file.js';
import { defaultGraphMegabytes, graphLimit } from './hnsw/limits.js';
import { type IndexSettings, LoadedIndex } from './hnsw/loaded-index.js';
import {
  deleteSomeRows,
  dropIndex,
  type IndexRow,
  insertIndex,
  listIndexRows,
  orphanedIndexes,
  pageOfRows,
  touchIndex,
  wholeRowsById,
} from './hnsw/rows.js';
import type { VectorChange } from './hnsw/vector-change.js';
import {
  changeRows,
  checkedRows,
  countSelected,
  entryOf,
  readVectors,
  removeRows,
  takenIds,
  writeRows,
} from './hnsw/write.js';
import type {
  IndexInfo,
  MemoryLimit,
  Metric,
  VectorBackend,
  VectorEntry,
  VectorHit,
  VectorQuery,
  VectorSelector,
} from './port.js';

export interface HnswOptions {
  /** Where graph files are kept; none without it. */
  readonly directory?: string;
  /** What the graphs of all indexes may take, MB; by default a quarter of the memory. */
  readonly graphMegabytes?: number;
  readonly settings?: Partial<IndexSettings>;
  /** True where the store was opened for this adapter alone: it is closed with it. */
  readonly ownsStore?: boolean;
}

const SETTINGS: IndexSettings = {
  buildFrom: 20_000,
  segmentMegabytes: 1000,
  quietMs: 500,
  exactBelow: 20_000,
  ef: 64,
};

/**
 * Vectors for one process: rows in the SQLite store are the truth and join its transactions; search runs in memory,
 * exactly for small candidate sets and through an HNSW graph for large ones.
 */
export class HnswVectors implements VectorBackend {
  readonly kind = 'hnsw';
  readonly joinsStore = true;
  private readonly indexes = new Map<string, LoadedIndex>();
  private readonly settings: IndexSettings;
  private readonly budget: GraphBudget;
  private cleaning: Promise<void> = Promise.resolve();
  private closed = false;

  constructor(
    readonly store: Store,
    private readonly options: HnswOptions = {},
  ) {
    if (store.dialect !== 'sqlite') {
      throw new SvcError(
        'unavailable',
        'The vector engine hnsw keeps its rows in SQLite and serves one process; with SVC_STORE=postgres use pgvector or qdrant.',
      );
    }
    this.settings = { ...SETTINGS, ...options.settings };
    this.budget = new GraphBudget(options.graphMegabytes ?? defaultGraphMegabytes());
  }

  /** Starts reading every index into memory; queries wait for theirs. */
  async connect(): Promise<void> {
    this.closed = false;
    for (const row of await listIndexRows(this.store.db)) this.open(row, false);
    for (const id of await orphanedIndexes(this.store.db)) this.clean(id);
  }

  async disconnect(): Promise<void> {
    this.closed = true;
    await this.cleaning;
    for (const index of this.indexes.values()) await index.close();
    this.indexes.clear();
    if (this.options.ownsStore === true) await this.store.close();
  }

  async health(): Promise<void> {
    await this.store.health();
  }

  async limits(): Promise<MemoryLimit[]> {
    const passed = [...this.indexes].flatMap(([name, index]) => index.passedLimits(name));
    return [
      { message: graphLimit(this.budget), passed: false },
      ...passed.map((message) => ({ message, passed: true })),
    ];
  }

  async createIndex(name: string, options: { dimension: number; metric?: Metric }): Promise<'created' | 'exists'> {
    checkDimension(options.dimension);
    return this.store.write(async (scope) => {
      const wanted = { name, dimension: options.dimension, metric: options.metric ?? 'cosine' };
      const { row, created } = await insertIndex(scope.db, wanted);
      if (!created) {
        checkSameShape(name, row, options);
        return 'exists';
      }
      scope.afterCommit(() => this.open(row, true));
      return 'created';
    });
  }

  async listIndexes(): Promise<IndexInfo[]> {
    const infos = await Promise.all([...this.indexes.values()].map(infoOf));
    return infos.sort((a, b) => compareText(a.name, b.name));
  }

  async describeIndex(name: string): Promise<IndexInfo> {
    return infoOf(this.index(name));
  }

  async deleteIndex(name: string): Promise<boolean> {
    return this.store.write(async (scope) => {
      const row = await dropIndex(scope.db, name);
      if (row === undefined) return false;
      scope.afterCommit(() => this.forget(row));
      return true;
    });
  }

  async upsert(name: string, entries: readonly VectorEntry[], scope?: WriteScope): Promise<void> {
    const rows = checkedRows(entries, this.index(name).row.dimension);
    if (rows.length === 0) return;
    await this.write(name, scope, async (index, { db }) => ({
      changes: await writeRows(db, index.row.id, rows),
      result: undefined,
    }));
  }

  async query(name: string, query: VectorQuery): Promise<VectorHit[]> {
    return answer(this.store.db, this.index(name), query);
  }

  async score(
    name: string,
    vector: Float32Array | readonly number[],
    ids: readonly string[],
  ): Promise<Map<string, number>> {
    const index = this.index(name);
    const checked = checkedVector(vector, index.row.dimension, 'query_vector');
    return scoresOf(this.store.db, index, { vector: checked.vector, ids });
  }

  async fetch(name: string, ids: readonly string[]): Promise<Map<string, Float32Array>> {
    return readVectors(this.store.db, this.index(name).row.id, ids);
  }

  async update(
    name: string,
    selector: VectorSelector,
    change: { vector?: readonly number[]; metadata?: JsonObject },
  ): Promise<number> {
    await this.warm(name, selector);
    return this.write(name, undefined, async (index, { db }) => {
      const { vector, metadata } = change;
      const { changes, count } = await changeRows(db, index, { selector, vector, metadata });
      return { changes, result: count };
    });
  }

  async count(name: string, selector: VectorSelector): Promise<number> {
    return countSelected(this.store.db, this.index(name), selector);
  }

  async delete(name: string, selector: VectorSelector, scope?: WriteScope): Promise<number> {
    if (scope === undefined) await this.warm(name, selector);
    return this.write(name, scope, async (index, { db }) => {
      const changes = await removeRows(db, index, selector);
      return { changes, result: changes.length };
    });
  }

  async insertAbsent(name: string, entries: readonly VectorEntry[]): Promise<number> {
    const rows = checkedRows(entries, this.index(name).row.dimension);
    return this.write(name, undefined, async (index, { db }) => {
      const taken = await takenIds(db, index.row.id, rows);
      const absent = rows.filter((row) => !taken.has(row.id));
      return { changes: await writeRows(db, index.row.id, absent), result: absent.length };
    });
  }

  async get(name: string, ids: readonly string[]): Promise<VectorEntry[]> {
    return (await wholeRowsById(this.store.db, this.index(name).row.id, ids)).map(entryOf);
  }

  async scan(name: string, options: { after?: string; limit: number }): Promise<VectorEntry[]> {
    const { after, limit } = options;
    return (await pageOfRows(this.store.db, this.index(name).row.id, { after, limit })).map(entryOf);
  }

  /** Resolves when every index is in memory and its graph is complete: for benchmarks and tests. */
  async whenBuilt(): Promise<void> {
    for (const index of this.indexes.values()) {
      await index.loaded();
      await index.builder.whenBuilt();
    }
  }

  /** Runs a write in the caller's transaction or one of its own; memory is updated after the commit. */
  private async write<T>(
    name: string,
    scope: WriteScope | undefined,
    work: (index: LoadedIndex, scope: WriteScope) => Promise<{ changes: VectorChange[]; result: T }>,
  ): Promise<T> {
    const index = this.index(name);
    const run = async (inner: WriteScope): Promise<T> => {
      const row = await touchIndex(inner.db, name);
      if (row === undefined || row.id !== index.row.id) throw indexNotFound(name);
      const { changes, result } = await work(index, inner);
      const pending = index.expect(changes);
      inner.afterCommit(() => {
        index.forgetPending(pending);
        index.apply(changes);
      });
      return result;
    };
    return scope === undefined ? this.store.write(run) : run(scope);
  }

  /** Makes what a filter needs before the transaction starts, so that it stays short. */
  private async warm(name: string, selector: VectorSelector): Promise<void> {
    if ('filter' in selector) await this.index(name).select(selector.filter, undefined);
  }

  private index(name: string): LoadedIndex {
    const index = this.indexes.get(name);
    if (index === undefined) throw indexNotFound(name);
    return index;
  }

  private open(row: IndexRow, fresh: boolean): void {
    const { directory } = this.options;
    const file = directory === undefined ? undefined : new GraphFile(directory, row.id);
    const { settings, budget } = this;
    this.indexes.set(row.name, new LoadedIndex(this.store.db, row, { settings, file, budget, fresh }));
  }

  private forget(row: IndexRow): void {
    const index = this.indexes.get(row.name);
    this.indexes.delete(row.name);
    this.clean(row.id);
    if (index !== undefined) this.cleaning = Promise.all([this.cleaning, this.discard(index)]).then(() => undefined);
  }

  private async discard(index: LoadedIndex): Promise<void> {
    try {
      await index.discard();
    } catch {
      // A file that cannot be removed names an index that is gone: nothing reads it.
    }
    // Its graphs left room for those of others.
    for (const other of this.indexes.values()) other.builder.changed();
  }

  /** Removes the rows of a deleted index in small transactions; what a crash leaves is removed at the next start. */
  private clean(indexId: number): void {
    this.cleaning = this.cleaning.then(async () => {
      try {
        while (!this.closed && (await this.store.write(({ db }) => deleteSomeRows(db, indexId, 500))) > 0) {
          await new Promise<void>((resolve) => setImmediate(resolve));
        }
      } catch {
        // The rows are invisible already; the next start tries again.
      }
    });
  }
}

async function infoOf(index: LoadedIndex): Promise<IndexInfo> {
  await index.loaded();
  const { name, dimension, metric } = index.row;
  return { name, dimension, metric, count: index.arena.live };
}
