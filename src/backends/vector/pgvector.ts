import { readOnce } from '../../core/async/one-moment.js';
import type { JsonObject } from '../../core/model.js';
import { type PostgresStore, postgresError } from '../store/engine/postgres.js';
import type { Db } from '../store/schema.js';
import type { WriteScope } from '../store/scope.js';
import { checkDimension, checkedTexts, checkedVector, checkSameShape, indexNotFound } from './check-vector.js';
import {
  checkedRows,
  countRows,
  countSelected,
  deleteRows,
  insertAbsentRows,
  pageOfRows,
  updateRows,
  upsertRows,
  vectorsById,
  wholeRowsById,
} from './pgvector/rows.js';
import { search } from './pgvector/search.js';
import {
  brokenGraphs,
  buildGraph,
  claimTables,
  dropIndex,
  hasGraph,
  type IndexRow,
  indexRow,
  insertIndex,
  listIndexRows,
  lockedIndexRow,
  prepare,
  tableName,
} from './pgvector/tables.js';
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
import { prepared, rankingOf, scoreOfRank } from './score.js';

export interface PgVectorOptions {
  /** True where the store lives on the same server: writes then take part in its transactions. */
  readonly joinsStore: boolean;
  /** Returns the id of the ledger that the vectors belong to; without it they are shared by whoever comes. */
  readonly ledger?: () => Promise<string>;
  /** Rows from which an HNSW index is built; below, search is exact. */
  readonly buildFrom?: number;
}

const CHECK_EVERY = 5000;

/** Vectors in PostgreSQL with pgvector 0.8 or later: nothing is kept in memory, so any number of replicas share it. */
export class PgVectors implements VectorBackend {
  readonly kind = 'pgvector';
  readonly joinsStore: boolean;
  private readonly buildFrom: number;
  private building: Promise<void> | undefined;
  /** Rows written to a table since its size was last looked at. */
  private readonly written = new Map<number, number>();
  /** Why the last build failed, by table. */
  private readonly failures = new Map<string, string>();

  /** Without `joinsStore` the connection is this adapter's own and is closed with it. */
  constructor(
    private readonly store: PostgresStore,
    private readonly options: PgVectorOptions,
  ) {
    this.joinsStore = options.joinsStore;
    this.buildFrom = options.buildFrom ?? 20_000;
  }

  async connect(): Promise<void> {
    await this.guarded(async () => {
      await prepare(this.store.db);
      const ledger = await this.options.ledger?.();
      if (ledger !== undefined) await claimTables(this.store.db, ledger);
    });
  }

  async disconnect(): Promise<void> {
    await this.building;
    if (!this.joinsStore) await this.store.close();
  }

  async limits(): Promise<MemoryLimit[]> {
    return this.guarded(async () => {
      const { db } = this.store;
      const indexes = await listIndexRows(db);
      const broken = new Set(await brokenGraphs(db, [...new Set(indexes.map(tableName))]));
      return indexes.flatMap((index) => {
        const table = tableName(index);
        const reason = this.failures.get(table);
        if (reason === undefined && !broken.has(table)) return [];
        const why = reason === undefined ? '' : ` (${reason.replace(/\.$/u, '')})`;
        const message = `vector index ${index.name}: its graph could not be built${why}, so each query scans all of its vectors; it is built again with the next ${CHECK_EVERY.toLocaleString('en-US')} vectors.`;
        return [{ message, passed: true }];
      });
    });
  }

  async health(): Promise<void> {
    await this.store.health();
  }

  async createIndex(name: string, options: { dimension: number; metric?: Metric }): Promise<'created' | 'exists'> {
    checkDimension(options.dimension);
    const index = { name, dimension: options.dimension, metric: options.metric ?? 'cosine' };
    const { row, created } = await this.store.write(({ db }) => insertIndex(db, index));
    checkSameShape(name, row, options);
    return created ? 'created' : 'exists';
  }

  async listIndexes(): Promise<IndexInfo[]> {
    return this.guarded(async () => {
      const infos: IndexInfo[] = [];
      for (const row of await listIndexRows(this.store.db)) infos.push(await infoOf(this.store.db, row));
      return infos;
    });
  }

  async describeIndex(name: string): Promise<IndexInfo> {
    return this.reading(name, (index) => infoOf(this.store.db, index));
  }

  async deleteIndex(name: string): Promise<boolean> {
    return this.store.write(({ db }) => dropIndex(db, name));
  }

  async upsert(name: string, entries: readonly VectorEntry[], scope?: WriteScope): Promise<void> {
    const index = await this.writing(name, scope, async (row, db) => {
      await upsertRows(db, row, checkedRows(entries, row.dimension));
      return row;
    });
    this.grew(index, entries.length);
  }

  async query(name: string, query: VectorQuery): Promise<VectorHit[]> {
    return this.reading(name, (index) => {
      const { vector } = checkedVector(query.vector, index.dimension, 'query_vector');
      return search(this.store.db, index, { query, vector });
    });
  }

  async score(
    name: string,
    vector: Float32Array | readonly number[],
    ids: readonly string[],
  ): Promise<Map<string, number>> {
    return this.reading(name, async (index) => {
      const query = prepared(index.metric, checkedVector(vector, index.dimension, 'query_vector').vector);
      const rank = rankingOf(index.metric);
      const scores = new Map<string, number>();
      for (const [id, stored] of await vectorsById(this.store.db, index, ids)) {
        const value = rank(query, prepared(index.metric, stored), 0, index.dimension);
        scores.set(id, scoreOfRank(index.metric, value));
      }
      return scores;
    });
  }

  async fetch(name: string, ids: readonly string[]): Promise<Map<string, Float32Array>> {
    return this.reading(name, (index) => vectorsById(this.store.db, index, ids));
  }

  async update(
    name: string,
    selector: VectorSelector,
    change: { vector?: readonly number[]; metadata?: JsonObject },
  ): Promise<number> {
    return this.writing(name, undefined, (index, db) => {
      const vector =
        change.vector === undefined ? undefined : checkedVector(change.vector, index.dimension, 'vector').vector;
      const metadata = change.metadata === undefined ? undefined : checkedTexts({ metadata: change.metadata });
      return updateRows(db, index, { selector, vector, metadata });
    });
  }

  async count(name: string, selector: VectorSelector): Promise<number> {
    return this.reading(name, (index) => countSelected(this.store.db, index, selector));
  }

  async delete(name: string, selector: VectorSelector, scope?: WriteScope): Promise<number> {
    return this.writing(name, scope, (index, db) => deleteRows(db, index, selector));
  }

  async insertAbsent(name: string, entries: readonly VectorEntry[]): Promise<number> {
    const { row, added } = await this.writing(name, undefined, async (index, db) => ({
      row: index,
      added: await insertAbsentRows(db, index, checkedRows(entries, index.dimension)),
    }));
    this.grew(row, added);
    return added;
  }

  async get(name: string, ids: readonly string[]): Promise<VectorEntry[]> {
    return this.reading(name, (index) => wholeRowsById(this.store.db, index, ids));
  }

  async scan(name: string, options: { after?: string; limit: number }): Promise<VectorEntry[]> {
    const { after, limit } = options;
    return this.reading(name, (index) => pageOfRows(this.store.db, index, { after, limit }));
  }

  /** Resolves when no HNSW index is being built: for benchmarks and tests. */
  async whenBuilt(): Promise<void> {
    for (const index of await listIndexRows(this.store.db)) this.buildIfLarge(index);
    await this.building;
  }

  private async reading<T>(name: string, work: (index: IndexRow) => Promise<T>): Promise<T> {
    return this.guarded(async () => {
      const index = await readOnce(this, name, () => indexRow(this.store.db, name));
      if (index === undefined) throw indexNotFound(name);
      return work(index);
    });
  }

  private async writing<T>(
    name: string,
    scope: WriteScope | undefined,
    work: (index: IndexRow, db: Db) => Promise<T>,
  ): Promise<T> {
    const run = async ({ db }: WriteScope): Promise<T> => {
      const index = await lockedIndexRow(db, name);
      if (index === undefined) throw indexNotFound(name);
      return work(index, db);
    };
    return scope === undefined || !this.joinsStore ? this.store.write(run) : run(scope);
  }

  private async guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw postgresError(error);
    }
  }

  private grew(index: IndexRow, rows: number): void {
    const written = (this.written.get(index.id) ?? 0) + rows;
    this.written.set(index.id, written >= CHECK_EVERY ? 0 : written);
    if (written >= CHECK_EVERY) this.buildIfLarge(index);
  }

  private buildIfLarge(index: IndexRow): void {
    const build = async (): Promise<void> => {
      const { db } = this.store;
      const table = tableName(index);
      if (!(await hasGraph(db, index)) && (await countRows(db, index)) >= this.buildFrom) {
        await buildGraph(db, index).catch((error: unknown) => {
          this.failures.set(table, error instanceof Error ? error.message : 'for no reason that it gave');
          throw error;
        });
      }
      this.failures.delete(table);
    };
    // A failed build costs time only: search stays exact, and the next growth tries again.
    const before = this.building ?? Promise.resolve();
    this.building = before.then(build).catch(() => undefined);
  }
}

async function infoOf(db: Db, index: IndexRow): Promise<IndexInfo> {
  const { name, dimension, metric } = index;
  return { name, dimension, metric, count: await countRows(db, index) };
}
