import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../core/model.js';
import { checkDimension, checkedTexts, checkedVector, checkSameShape } from './check-vector.js';
import { compareText } from './filter.js';
import type { IndexInfo, Metric, VectorBackend, VectorEntry, VectorHit, VectorQuery, VectorSelector } from './port.js';
import { Collections, type QdrantOptions, type Shape } from './qdrant/collections.js';
import { entryOf, pointId } from './qdrant/payload.js';
import { search } from './qdrant/search.js';
import {
  addPoints,
  changePoints,
  checkedEntries,
  countPoints,
  payloadsById,
  removePoints,
  writePoints,
} from './qdrant/write.js';
import { prepared, rankingOf, scoreOfRank } from './score.js';

/** Vectors on a Qdrant server: a collection for each index. Writes wait until they can be read. */
export class QdrantVectors implements VectorBackend {
  readonly kind = 'qdrant';
  readonly joinsStore = false;
  private readonly collections: Collections;
  /** Payload fields that were indexed for filters, by index. */
  private readonly indexed = new Map<string, Set<string>>();

  constructor(options: QdrantOptions) {
    this.collections = new Collections(options);
  }

  async connect(): Promise<void> {
    await this.health();
  }

  async disconnect(): Promise<void> {
    this.collections.close();
  }

  async limits(): Promise<[]> {
    return [];
  }

  async health(): Promise<void> {
    await this.collections.names();
  }

  async createIndex(name: string, options: { dimension: number; metric?: Metric }): Promise<'created' | 'exists'> {
    checkDimension(options.dimension);
    const wanted: Shape = { dimension: options.dimension, metric: options.metric ?? 'cosine' };
    const created = (await this.collections.shape(name)) === undefined && (await this.collections.create(name, wanted));
    const shape = await this.collections.shape(name);
    if (shape !== undefined) checkSameShape(name, shape, options);
    return created ? 'created' : 'exists';
  }

  async listIndexes(): Promise<IndexInfo[]> {
    const infos: IndexInfo[] = [];
    for (const name of (await this.collections.names()).sort(compareText)) {
      // One that another process deletes meanwhile is left out.
      const info = await this.describeIndex(name).catch((error: unknown) => {
        if ((error as { code?: unknown }).code === 'index_not_found') return undefined;
        throw error;
      });
      if (info !== undefined) infos.push(info);
    }
    return infos;
  }

  async describeIndex(name: string): Promise<IndexInfo> {
    return this.collections.with(name, async (collection, { dimension, metric }) => {
      return { name, dimension, metric, count: await this.collections.count(collection, undefined) };
    });
  }

  async deleteIndex(name: string): Promise<boolean> {
    this.indexed.delete(name);
    return this.collections.drop(name);
  }

  async upsert(name: string, entries: readonly VectorEntry[]): Promise<void> {
    await this.collections.with(name, async (collection, shape) => {
      const checked = checkedEntries(entries, shape.dimension);
      await writePoints(this.collections, collection, { entries: checked, revision: randomUUID() });
    });
  }

  async insertAbsent(name: string, entries: readonly VectorEntry[]): Promise<number> {
    return this.collections.with(name, (collection, shape) =>
      addPoints(this.collections, collection, checkedEntries(entries, shape.dimension)),
    );
  }

  async query(name: string, query: VectorQuery): Promise<VectorHit[]> {
    return this.collections.with(name, (collection, shape) => {
      const { vector } = checkedVector(query.vector, shape.dimension, 'query_vector');
      const indexed = this.indexedOf(name);
      return search(this.collections, collection, { shape, query, vector, indexed, index: name });
    });
  }

  async score(
    name: string,
    vector: Float32Array | readonly number[],
    ids: readonly string[],
  ): Promise<Map<string, number>> {
    return this.collections.with(name, async (collection, { dimension, metric }) => {
      const query = prepared(metric, checkedVector(vector, dimension, 'query_vector').vector);
      const rank = rankingOf(metric);
      const payloads = await payloadsById(this.collections, collection, ids);
      return new Map(
        payloads.map(entryOf).map((entry) => {
          return [entry.id, scoreOfRank(metric, rank(query, prepared(metric, entry.vector), 0, dimension))];
        }),
      );
    });
  }

  async fetch(name: string, ids: readonly string[]): Promise<Map<string, Float32Array>> {
    return this.collections.with(name, async (collection) => {
      const payloads = await payloadsById(this.collections, collection, ids);
      return new Map(payloads.map(entryOf).map((entry) => [entry.id, entry.vector]));
    });
  }

  async get(name: string, ids: readonly string[]): Promise<VectorEntry[]> {
    return this.collections.with(name, async (collection) =>
      (await payloadsById(this.collections, collection, ids)).map(entryOf),
    );
  }

  async update(
    name: string,
    selector: VectorSelector,
    change: { vector?: readonly number[]; metadata?: JsonObject },
  ): Promise<number> {
    return this.collections.with(name, (collection, { dimension }) => {
      const vector = change.vector === undefined ? undefined : checkedVector(change.vector, dimension, 'vector').vector;
      if (change.metadata !== undefined) checkedTexts({ metadata: change.metadata });
      return changePoints(this.collections, collection, { selector, vector, metadata: change.metadata });
    });
  }

  async count(name: string, selector: VectorSelector): Promise<number> {
    return this.collections.with(name, (collection) => countPoints(this.collections, collection, selector));
  }

  async delete(name: string, selector: VectorSelector): Promise<number> {
    return this.collections.with(name, (collection) => removePoints(this.collections, collection, selector));
  }

  /** Returns entries in the order of point ids. */
  async scan(name: string, options: { after?: string; limit: number }): Promise<VectorEntry[]> {
    const { after, limit } = options;
    return this.collections.with(name, async (collection) => {
      const pages = this.collections.scroll(collection, {
        limit: after === undefined ? limit : limit + 1,
        ...(after === undefined ? {} : { from: pointId(after) }),
      });
      const first = await pages.next();
      const payloads = first.done === true ? [] : first.value.filter((payload) => payload.id !== after);
      return payloads.slice(0, limit).map(entryOf);
    });
  }

  private indexedOf(name: string): Set<string> {
    const known = this.indexed.get(name) ?? new Set<string>();
    this.indexed.set(name, known);
    return known;
  }
}
