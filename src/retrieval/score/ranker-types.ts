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

export interface ModelRanker {
  /** Of mode vec. */
  readonly vec: Calibration;
  readonly document: LinearModel;
  readonly message: LinearModel;
}

/** What `config/ranker.yaml` holds; written by `bench/retrieval/train`. */
export interface Ranker {
  readonly direct: DirectWeights;
  /** Log odds for one unit of an item prior. */
  readonly prior: number;
  /** By embedding model; `none` without one, `other` for every model not listed. */
  readonly models: Readonly<Record<string, ModelRanker>>;
}
