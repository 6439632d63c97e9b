import { mentionId } from '../expand/link-ids.js';
import type { Shared } from '../expand/shared.js';
import type { Features } from './features.js';
import type { Calibration, GraphWeights, ModelRanker, Ranker } from './ranker.js';

/** A baseline score with its parts, so that it can be explained and credited. */
export interface BaselineScore {
  readonly total: number;
  /** The part that came through the graph. */
  readonly graph: number;
  readonly parts: {
    readonly forward: number;
    readonly reverse: number;
    readonly shared: number;
    readonly pagerank: number;
  };
}

/** What feedback says about one answer. */
export interface Adjustments {
  /** Edge or link id → multiplier, 1 where absent. */
  readonly factors: ReadonlyMap<string, number>;
  /** Item → amount to add to its baseline score, 0 where absent. */
  readonly priors: ReadonlyMap<string, number>;
}

/**
 * Computes a baseline score from features: a number that orders items; it becomes a probability through a
 * `Calibration`.
 */
export type Scorer = (features: Features, adjustments: Adjustments) => BaselineScore;

/** Direct evidence only: text and vectors, no graph. */
export function directScorer(ranker: Ranker): Scorer {
  return ({ node, direct }, adjustments) => ({
    total: directScore(ranker, { node, direct }) + (adjustments.priors.get(node.id) ?? 0),
    graph: 0,
    parts: { forward: 0, reverse: 0, shared: 0, pagerank: 0 },
  });
}

/**
 * The baseline formula of the design page: direct evidence + link paths + shared rare entities + PageRank. What the
 * graph adds is weighed by the gate: how far the best direct evidence of the answer lies between its two bounds.
 */
export function baselineScorer(ranker: Ranker, model: ModelRanker, best: number): Scorer {
  const open = gate(model.gate, best);
  return (features, adjustments) => {
    const { node, forward, reverse, shared, pagerank } = features;
    const weights = weightsOf(ranker, node);
    const factor = (edge: string) => adjustments.factors.get(edge) ?? 1;
    const parts = {
      forward:
        forward === undefined
          ? 0
          : open *
            factor(forward.edge) *
            (weights.forward * Math.max(0, 1 + forward.strength) + weights.words * forward.words),
      reverse:
        reverse === undefined ? 0 : open * factor(reverse.edge) * weights.reverse * Math.max(0, 1 + reverse.strength),
      shared: shared === undefined ? 0 : open * sharedFactor(shared, node.id, factor) * weights.shared * shared.value,
      pagerank: open * weights.pagerank * pagerank,
    };
    const graph = parts.forward + parts.reverse + parts.shared + parts.pagerank;
    return { total: directScore(ranker, features) + (adjustments.priors.get(node.id) ?? 0) + graph, graph, parts };
  };
}

/** Direct evidence. A concept without a description has no sentence that could match: its name counts once. */
function directScore(ranker: Ranker, { node, direct }: Pick<Features, 'node' | 'direct'>): number {
  const bare = node.kind === 'concept' && node.description === '';
  const sentence = bare ? ranker.direct.sentence * direct.sentence : 0;
  return direct.base - sentence + weightsOf(ranker, node).named * direct.named;
}

/** A shared entity is two mentions; feedback may have moved either. */
function sharedFactor(shared: Shared, id: string, factor: (edge: string) => number): number {
  return factor(mentionId(shared.from, shared.entity)) * factor(mentionId(id, shared.entity));
}

/** The ids of the edges that a part of the score stands on. */
export function edgesOf(
  features: Features,
): Array<{ readonly edge: string; readonly part: keyof BaselineScore['parts'] }> {
  const { node, forward, reverse, shared } = features;
  return [
    ...(forward === undefined ? [] : [{ edge: forward.edge, part: 'forward' as const }]),
    ...(reverse === undefined ? [] : [{ edge: reverse.edge, part: 'reverse' as const }]),
    ...(shared === undefined
      ? []
      : [
          { edge: mentionId(shared.from, shared.entity), part: 'shared' as const },
          { edge: mentionId(node.id, shared.entity), part: 'shared' as const },
        ]),
  ];
}

/** 0..1 over the bounds. */
export function gate([closed, open]: ModelRanker['gate'], best: number): number {
  return Math.min(1, Math.max(0, (best - closed) / (open - closed)));
}

/**
 * Probability that the item is relevant, 0..1: the same baseline score means the same in every query. Six decimals, so
 * that a score that was returned can be sent back as a threshold.
 */
export function toProbability(baseline: number, { slope, offset }: Calibration): number {
  return Math.round(1e6 / (1 + Math.exp(-(slope * baseline + offset)))) / 1e6;
}

function weightsOf(ranker: Ranker, node: Features['node']): GraphWeights {
  return node.passage?.message === undefined ? ranker.graph.document : ranker.graph.message;
}
