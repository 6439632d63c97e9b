import type { GraphNode } from '../../core/model.js';
import type { Sign } from '../ranker/solve.js';

/**
 * The seam between retrieval and feedback.
 *
 * Before ranking: `version()` (one point read). Where it differs from last time, hand `edgeFactors()` to
 * `graph.setEdgeFactors`. After the candidates are known, add `itemPriors(question, vector, ids)` to their baseline scores
 * (before the logistic; an absent id gets 0), take the weights that `rankers()` has for an item's domain, and rank. Before the answer leaves: `recordQuery` (which waits
 * for no write: feedback on the query waits for its entry instead).
 */
export interface RankingAdjustments {
  /** Returns another number whenever feedback or time changed a factor, in this process or another replica. */
  version(): Promise<number>;
  /** Returns multipliers of typed edges' weights, by edge id; edges at 1 are left out. */
  edgeFactors(): Promise<ReadonlyMap<string, number>>;
  /**
   * Returns the effect of past feedback on these items for this question: amounts to add to the baseline score, items
   * without any left out. An item rated for another question counts by how alike the two questions are. `queryVector`
   * is the question's unit vector, null without an embedding model (then shared words decide). `present`: the items as
   * they read now; feedback on another text of theirs does not count. Without it all feedback does.
   */
  itemPriors(
    question: string,
    queryVector: Float32Array | null,
    ids: readonly string[],
    present?: Promise<readonly GraphNode[]>,
  ): Promise<ReadonlyMap<string, number>>;
  /**
   * Returns what feedback on this very question, in the same words, made of these items: factors above 1 for what was accepted, below 1 for
   * what was rejected, items without any left out. They decide which of two such items stands before the other. `present`: as above.
   */
  ownRatings?(
    question: string,
    ids: readonly string[],
    present?: Promise<readonly GraphNode[]>,
  ): Promise<ReadonlyMap<string, number>>;
  /** Returns by domain what feedback there taught about the ranking of any question, as of the last `version()`. */
  rankers(): Promise<ReadonlyMap<string, DomainRanker>>;
}

/** Documents, concepts and rows are ranked by other features than turns of conversations. */
export type ItemKind = 'document' | 'message';

/** The features of a kind of item. */
export interface FeatureTable {
  /** A number of 16 bits that stands for the names in their order: values under another one are of other features. */
  readonly key: number;
  readonly names: readonly string[];
  /** What each value says of an item, in words. */
  readonly meanings: readonly string[];
  /** Signs that their weights may have. */
  readonly signs: readonly Sign[];
}

/** What an item was ranked by. */
export interface ItemFeatures {
  readonly kind: ItemKind;
  /** Key of the feature table whose order the values have. */
  readonly table: number;
  readonly values: readonly number[];
}

/** score = logistic(intercept + Σ weight · feature), weights in the order of the feature table. */
export interface LinearModel {
  readonly intercept: number;
  readonly weights: readonly number[];
}

/** The weights of one domain; null for a kind that had too little feedback there. */
export type DomainRanker = Readonly<Record<ItemKind, LinearModel | null>>;

/** An item that a query returned. */
export interface RecordedItem {
  readonly id: string;
  readonly score: number;
  readonly domain: string;
  /** The ingest source that it belongs to, where it has exactly one (a passage's). */
  readonly source_id?: string | undefined;
  /** How it read (`textHash`); feedback on it counts while it reads so. */
  readonly text_hash?: string | undefined;
  /** Typed edges that brought it up, with their share (0..1) of what the graph added to it. */
  readonly edges?: ReadonlyArray<{ readonly id: string; readonly share: number }> | undefined;
  /** Null, or absent, in mode vec. */
  readonly features?: ItemFeatures | null | undefined;
}

/** A query as it is remembered for feedback. */
export interface QueryRecord {
  readonly query_id: string;
  readonly text: string;
  /** As requested; empty: all. */
  readonly domains: readonly string[];
  readonly mode: string;
  /** Unit vector of the question and its model's name; null without an embedding model. */
  readonly vector: Float32Array | null;
  readonly model: string | null;
  readonly items: readonly RecordedItem[];
  /** Who asks, where callers prove who they are. */
  readonly owner?: string | undefined;
}

export interface QueryRecorder {
  /** Takes the query; it is written behind the answer, together with others that come meanwhile. */
  recordQuery(record: QueryRecord): Promise<void>;
}
