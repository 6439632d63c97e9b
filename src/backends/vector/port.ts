import type { JsonObject } from '../../core/model.js';
import type { WriteScope } from '../store/scope.js';
import type { Filter } from './filter.js';

export type Metric = 'cosine' | 'euclidean' | 'dotproduct';

/** Where a limit is, or what passing it costs; so too for a graph that could not be built. */
export interface MemoryLimit {
  readonly message: string;
  readonly passed: boolean;
}

export interface IndexInfo {
  readonly name: string;
  readonly dimension: number;
  readonly metric: Metric;
  readonly count: number;
}

export interface VectorEntry {
  readonly id: string;
  readonly vector: Float32Array | readonly number[];
  readonly metadata?: JsonObject;
  readonly document?: string;
  /** Isolation key (the domain, for the concept index); empty by default. */
  readonly partition?: string;
}

export interface VectorHit {
  readonly id: string;
  /** Higher is better: cosine similarity; dot product; euclidean as 1/(1+d). */
  readonly score: number;
  readonly metadata: JsonObject;
  readonly document?: string;
  readonly vector?: number[];
}

export interface VectorQuery {
  readonly vector: Float32Array | readonly number[];
  readonly topK: number;
  readonly filter?: Filter;
  /** Only entries of these partitions; all without. Applied before the search: a small partition gets full recall. */
  readonly partitions?: readonly string[];
  readonly includeVector?: boolean;
  /** Only ids and scores are wanted: metadata and documents may be left out, which saves reading them. */
  readonly bare?: boolean;
}

export type VectorSelector =
  | { readonly ids: readonly string[] }
  | { readonly filter: Filter }
  | { readonly partition: string };

/** Index with the one entry that says how far an engine outside the store follows the ledger; it stays in its engine. */
export const CURSOR_INDEX = 'svc_cursor';

/**
 * Vector indexes by name. Every implementation passes `test/contracts/vector.contract.ts`; `memory` is the exact
 * reference. Unknown index: `index_not_found`. Wrong dimension, NaN or infinite component: `invalid_input`, nothing
 * written.
 */
export interface VectorBackend {
  /** `memory`, `hnsw`, `pgvector` or `qdrant`. */
  readonly kind: string;
  readonly joinsStore: boolean;

  connect(): Promise<void>;
  disconnect(): Promise<void>;
  /** Throws `unavailable` with a reason when it cannot answer. */
  health(): Promise<void>;
  /**
   * Returns the limits of memory in this process, for status, and graphs that could not be built; an engine that builds its graphs
   * by itself, as Qdrant does, has none.
   */
  limits(): Promise<readonly MemoryLimit[]>;

  /** Creates an index. `conflict` where one exists with another dimension or another metric; the message names which. */
  createIndex(name: string, options: { dimension: number; metric?: Metric }): Promise<'created' | 'exists'>;
  listIndexes(): Promise<IndexInfo[]>;
  describeIndex(name: string): Promise<IndexInfo>;
  /** Deletes an index; false if absent. */
  deleteIndex(name: string): Promise<boolean>;

  /** Replaces entries of equal ids. */
  upsert(name: string, entries: readonly VectorEntry[], scope?: WriteScope): Promise<void>;
  /** Returns hits, best first, ties by id. A filtered query returns every match there is up to `topK`. */
  query(name: string, query: VectorQuery): Promise<VectorHit[]>;
  /** Returns scores of these ids against a vector, without search; absent ids are left out. */
  score(name: string, vector: Float32Array | readonly number[], ids: readonly string[]): Promise<Map<string, number>>;
  /** Returns stored vectors as given; absent ids are left out. */
  fetch(name: string, ids: readonly string[]): Promise<Map<string, Float32Array>>;
  /** Merges metadata, replaces the vector; returns how many entries changed. */
  update(
    name: string,
    selector: VectorSelector,
    change: { vector?: readonly number[]; metadata?: JsonObject },
  ): Promise<number>;
  /** Returns how many entries `delete` would delete. */
  count(name: string, selector: VectorSelector): Promise<number>;
  /** Returns how many were deleted. */
  delete(name: string, selector: VectorSelector, scope?: WriteScope): Promise<number>;
  /**
   * Adds entries whose ids are free, atomically for each; leaves the others as they are. Returns how many were added.
   */
  insertAbsent(name: string, entries: readonly VectorEntry[]): Promise<number>;
  /** Returns whole entries by id, in any order; absent ids are left out. */
  get(name: string, ids: readonly string[]): Promise<VectorEntry[]>;
  /**
   * Returns entries after the id `after` in the engine's own fixed order, vectors included: for migration and checks.
   */
  scan(name: string, options: { after?: string; limit: number }): Promise<VectorEntry[]>;
}
