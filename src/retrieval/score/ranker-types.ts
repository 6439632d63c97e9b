import type { LinearModel } from '../../learning/feedback/adjustments.js';

/** Weights of the direct evidence that the graph starts from: what an item itself has to do with the question. */
export interface DirectWeights {
  /** Cosine of question and item. */
  readonly cosine: number;
  /** Best sentence of the item. */
  readonly sentence: number;
  /** BM25 as a share of what the question could attain at most. */
  readonly text: number;
  /** 1/√(nodes about a name) where the question names what the item is about. */
  readonly named: number;
}

/** score = logistic(slope · cosine + offset). */
export interface Calibration {
  readonly slope: number;
  readonly offset: number;
}

/** What differs where documents and turns of conversations compete in one answer. */
export interface MixedModel {
  readonly intercept: number;
  /** Factor of what the weights of turns say of a turn. */
  readonly own: number;
  /** Added to turns. */
  readonly turn: number;
  /** Weights of what a document loses to the turns beside it. */
  readonly outdone: number;
  readonly outdoneNamed: number;
  /** Weights of documents, and amounts that are added to `own` times those of turns, in the order of the features; those of the group "answer" move all items together. */
  readonly document: readonly number[];
  readonly message: readonly number[];
}

export interface ModelRanker {
  /** Of mode vec. */
  readonly vec: Calibration;
  readonly document: LinearModel;
  readonly message: LinearModel;
  readonly mixed: MixedModel;
}

/**
 * How likely an item is at least where a chain ends, as a share of how likely the item is that it starts from: over one bridge and over two, for the best chain of
 * its length; e times less for each `fading` that a chain's strength lies below the best.
 */
export interface ChainShares {
  readonly first: number;
  readonly second: number;
  readonly fading: number;
}

/** What `config/ranker.yaml` holds; written by `bench/retrieval/train`. */
export interface Ranker {
  readonly direct: DirectWeights;
  /** Log odds for one unit of an item prior. */
  readonly prior: number;
  /** Log odds that an item of an asked day gains, and that a row of another day has: below 0. */
  readonly days: { readonly asked: number; readonly other: number };
  /** Log odds of a row of short values where the question wants something explained and the row holds no other word of it: below 0. */
  readonly explanation: { readonly row: number };
  /** Log odds of a row that has nothing in the column that the question asks for, and of a named one that has no such column: below 0. */
  readonly cells: { readonly empty: number; readonly missing: number };
  readonly chains: ChainShares;
  /** By embedding model; `none` without one, `other` for every model not listed. */
  readonly models: Readonly<Record<string, ModelRanker>>;
}
