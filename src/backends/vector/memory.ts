import type { JsonObject } from '../../core/model.js';
import type { WriteScope } from '../store/scope.js';
import { checkDimension, checkedTexts, checkedVector, checkId, checkSameShape, indexNotFound } from './check-vector.js';
import { compareText, matches } from './filter.js';
import type { IndexInfo, Metric, VectorBackend, VectorEntry, VectorHit, VectorQuery, VectorSelector } from './port.js';
import { prepared, rankingOf, scoreOfRank } from './score.js';

interface StoredVector {
  readonly id: string;
  readonly vector: Float32Array;
  /** As compared: of length 1 for cosine. */
  readonly ready: Float32Array;
  readonly metadata: JsonObject;
  readonly document: string | undefined;
  readonly partition: string;
}

interface Index {
  readonly dimension: number;
  readonly metric: Metric;
  readonly rows: Map<string, StoredVector>;
}

/** The exact reference: Maps, a full scan per query, nothing kept. Writes with a scope appear when it commits. */
export class MemoryVectors implements VectorBackend {
  readonly kind = 'memory';
  readonly joinsStore = true;
  private readonly indexes = new Map<string, Index>();

  async connect(): Promise<void> {}
  async disconnect(): Promise<void> {}
  async limits(): Promise<[]> {
    return [];
  }

  async health(): Promise<void> {}

  async createIndex(name: string, options: { dimension: number; metric?: Metric }): Promise<'created' | 'exists'> {
    checkDimension(options.dimension);
    const existing = this.indexes.get(name);
    if (existing !== undefined) {
      checkSameShape(name, existing, options);
      return 'exists';
    }
    this.indexes.set(name, { dimension: options.dimension, metric: options.metric ?? 'cosine', rows: new Map() });
    return 'created';
  }

  async listIndexes(): Promise<IndexInfo[]> {
    const names = [...this.indexes.keys()].sort(compareText);
    return names.map((name) => this.info(name));
  }

  async describeIndex(name: string): Promise<IndexInfo> {
    return this.info(name);
  }

  async deleteIndex(name: string): Promise<boolean> {
    return this.indexes.delete(name);
  }

  async upsert(name: string, entries: readonly VectorEntry[], scope?: WriteScope): Promise<void> {
    const index = this.index(name);
    const rows = entries.map((entry) => rowOf(index, entry));
    inScope(scope, () => {
      for (const row of rows) index.rows.set(row.id, row);
    });
  }

  async query(name: string, query: VectorQuery): Promise<VectorHit[]> {
    const index = this.index(name);
    const { vector } = checkedVector(query.vector, index.dimension, 'query_vector');
    const ready = prepared(index.metric, vector);
    const partitions = query.partitions === undefined ? undefined : new Set(query.partitions);
    const found: Array<{ row: StoredVector; rank: number }> = [];
    for (const row of index.rows.values()) {
      if (partitions !== undefined && !partitions.has(row.partition)) continue;
      if (query.filter !== undefined && !matches(query.filter, row.metadata)) continue;
      found.push({ row, rank: rankOf(index, ready, row) });
    }
    found.sort((a, b) => b.rank - a.rank || compareText(a.row.id, b.row.id));
    return found.slice(0, query.topK).map(({ row, rank }) => hitOf(row, scoreOfRank(index.metric, rank), query));
  }

  async score(
    name: string,
    vector: Float32Array | readonly number[],
    ids: readonly string[],
  ): Promise<Map<string, number>> {
    const index = this.index(name);
    const ready = prepared(index.metric, checkedVector(vector, index.dimension, 'query_vector').vector);
    return this.collect(index, ids, (row) => scoreOfRank(index.metric, rankOf(index, ready, row)));
  }

  async fetch(name: string, ids: readonly string[]): Promise<Map<string, Float32Array>> {
    return this.collect(this.index(name), ids, (row) => Float32Array.from(row.vector));
  }

  async update(
    name: string,
    selector: VectorSelector,
    change: { vector?: readonly number[]; metadata?: JsonObject },
  ): Promise<number> {
    const index = this.index(name);
    if (change.vector !== undefined) checkedVector(change.vector, index.dimension, 'vector');
    const rows = selected(index, selector);
    for (const row of rows) {
      const vector = change.vector ?? row.vector;
      index.rows.set(
        row.id,
        rowOf(index, { ...entryOf(row), vector, metadata: { ...row.metadata, ...change.metadata } }),
      );
    }
    return rows.length;
  }

  async count(name: string, selector: VectorSelector): Promise<number> {
    return selected(this.index(name), selector).length;
  }

  async delete(name: string, selector: VectorSelector, scope?: WriteScope): Promise<number> {
    const index = this.index(name);
    const rows = selected(index, selector);
    inScope(scope, () => {
      for (const row of rows) index.rows.delete(row.id);
    });
    return rows.length;
  }

  async insertAbsent(name: string, entries: readonly VectorEntry[]): Promise<number> {
    const index = this.index(name);
    const rows = entries.map((entry) => rowOf(index, entry)).filter((row) => !index.rows.has(row.id));
    for (const row of rows) index.rows.set(row.id, row);
    return rows.length;
  }

  async get(name: string, ids: readonly string[]): Promise<VectorEntry[]> {
    return [...this.collect(this.index(name), ids, entryOf).values()];
  }

  async scan(name: string, options: { after?: string; limit: number }): Promise<VectorEntry[]> {
    const rows = [...this.index(name).rows.values()].sort((a, b) => compareText(a.id, b.id));
    const { after } = options;
    const rest = after === undefined ? rows : rows.filter((row) => compareText(row.id, after) > 0);
    return rest.slice(0, options.limit).map(entryOf);
  }

  private collect<T>(index: Index, ids: readonly string[], pick: (row: StoredVector) => T): Map<string, T> {
    const found = new Map<string, T>();
    for (const id of ids) {
      const row = index.rows.get(id);
      if (row !== undefined) found.set(id, pick(row));
    }
    return found;
  }

  private index(name: string): Index {
    const index = this.indexes.get(name);
    if (index === undefined) throw indexNotFound(name);
    return index;
  }

  private info(name: string): IndexInfo {
    const { dimension, metric, rows } = this.index(name);
    return { name, dimension, metric, count: rows.size };
  }
}

function inScope(scope: WriteScope | undefined, apply: () => void): void {
  if (scope === undefined) apply();
  else scope.afterCommit(apply);
}

function rowOf(index: Index, entry: VectorEntry): StoredVector {
  checkId(entry.id);
  const { vector, norm } = checkedVector(entry.vector, index.dimension, 'vectors');
  return {
    id: entry.id,
    vector: Float32Array.from(vector),
    ready: prepared(index.metric, vector, norm),
    // Through JSON, as every other engine stores it.
    metadata: JSON.parse(checkedTexts(entry)) as JsonObject,
    document: entry.document,
    partition: entry.partition ?? '',
  };
}

function entryOf(row: StoredVector): VectorEntry {
  const { id, vector, metadata, document, partition } = row;
  return { id, vector, metadata, partition, ...(document === undefined ? {} : { document }) };
}

function rankOf(index: Index, query: Float32Array, row: StoredVector): number {
  return rankingOf(index.metric)(query, row.ready, 0, index.dimension);
}

function hitOf(row: StoredVector, score: number, query: VectorQuery): VectorHit {
  return {
    id: row.id,
    score,
    metadata: row.metadata,
    ...(row.document === undefined ? {} : { document: row.document }),
    ...(query.includeVector === true ? { vector: [...row.vector] } : {}),
  };
}

function selected(index: Index, selector: VectorSelector): StoredVector[] {
  if ('ids' in selector) {
    return [...new Set(selector.ids)].flatMap((id) => index.rows.get(id) ?? []);
  }
  const passes =
    'filter' in selector
      ? (row: StoredVector) => matches(selector.filter, row.metadata)
      : (row: StoredVector) => row.partition === selector.partition;
  return [...index.rows.values()].filter(passes);
}
