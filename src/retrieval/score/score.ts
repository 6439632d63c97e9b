import { conceptId } from '../../core/ids.js';
import type { DomainRanker, LinearModel } from '../../learning/feedback/adjustments.js';
import type { MessageItem } from '../conversation/message-features.js';
import { MESSAGE_FEATURES } from '../conversation/message-features.js';
import { mentionId } from '../expand/link-ids.js';
import type { Shared } from '../expand/shared.js';
import { DOCUMENT_FEATURES, type Feature, type FeatureGroup } from './document-features.js';
import type { Features } from './features.js';
import type { MixedAnswer, MixedAnswers } from './mixed.js';
import type { Calibration, ModelRanker, Ranker } from './ranker-types.js';

/** Groups of features that came through the graph. */
export type GraphPart = Exclude<FeatureGroup, 'direct' | 'answer'>;

/** Log odds of being needed, with their parts, so that they can be explained and credited. */
export interface BaselineScore {
  readonly total: number;
  /** The part that came through the graph; 0 or more. */
  readonly graph: number;
  readonly parts: Readonly<Record<GraphPart, number>>;
}

/** What feedback says about one answer. */
export interface Adjustments {
  /** Domain → its own weights; the ranker file's for all others. */
  readonly rankers: ReadonlyMap<string, DomainRanker>;
  /** Edge or link id → multiplier, 1 where absent. */
  readonly factors: ReadonlyMap<string, number>;
  /** Item → amount to add to its score, 0 where absent; in units of `Ranker.prior` log odds. */
  readonly priors: ReadonlyMap<string, number>;
}

/** Computes a baseline score from the features of an item: its log odds of being needed. */
export type Scorer<T> = (item: T, adjustments: Adjustments) => BaselineScore;

const NOTHING: Readonly<Record<GraphPart, number>> = { forward: 0, shared: 0, pagerank: 0, chain: 0 };

/** Scores documents, concepts and rows. `mixed`: domains in which turns compete with them. Feedback on an edge multiplies what came over it. */
export function documentScorer(ranker: Ranker, model: ModelRanker, mixed?: MixedAnswers): Scorer<Features> {
  const weightsOf = moved(model.document, (own, answer) => answer.documents(own));
  return (item, adjustments) => {
    const answer = mixed?.get(item.node.domain);
    const own = weightsOf(adjustments.rankers.get(item.node.domain)?.document, answer);
    const sums = groupSums(DOCUMENT_FEATURES, own, item);
    const factor = (edge: string) => adjustments.factors.get(edge) ?? 1;
    const part = (group: GraphPart, by = 1): number => by * sums[group];
    const { forward, shared, node } = item;
    const parts = {
      forward: part('forward', forward === undefined ? 1 : factor(forward.edge)),
      shared: part('shared', shared === undefined ? 1 : sharedFactor(shared, node.id, factor)),
      pagerank: part('pagerank'),
      chain: part('chain', chainFactor(item, factor)),
    };
    const graph = parts.forward + parts.shared + parts.pagerank + parts.chain;
    const prior = ranker.prior * (adjustments.priors.get(node.id) ?? 0);
    const lost = answer?.lost(item) ?? 0;
    const change = item.change?.gain ?? 0;
    const days = ofDays(ranker, item);
    const cells = ranker.explanation.row * item.unexplained + ofLack(ranker, item);
    return {
      total: sums.direct + sums.answer + graph + change + days + cells + prior + lost,
      graph: Math.max(0, graph),
      parts,
    };
  };
}

/** Returns what an item gains as one of the asked days, or loses as a row of another day: no row that the question names loses. */
function ofDays({ days }: Ranker, { dayFit = 0, direct }: Features): number {
  if (dayFit >= 0) return dayFit * days.asked;
  return direct.named > 0 ? 0 : days.other;
}

/**
 * Returns what a row loses that lacks what the question asks for, or has what it wants things to lack; what lacks that gains as much, as
 * far as it holds the rest of what is asked.
 */
function ofLack({ cells }: Ranker, { lacks, words }: Features): number {
  if (lacks === undefined) return 0;
  if (lacks.kind === 'wanted') return -cells.empty * lacks.share * words.open;
  return lacks.kind === 'column' ? cells.missing : cells.empty * lacks.share;
}

/** Scores turns of conversations. `mixed`: domains in which documents compete with them. */
export function messageScorer(ranker: Ranker, model: ModelRanker, mixed?: MixedAnswers): Scorer<MessageItem> {
  const weightsOf = moved(model.message, (own, answer) => answer.turns(own));
  return (item, adjustments) => {
    const { domain } = item.node;
    const own = weightsOf(adjustments.rankers.get(domain)?.message, mixed?.get(domain));
    const { direct, answer } = groupSums(MESSAGE_FEATURES, own, item);
    const prior = ranker.prior * (adjustments.priors.get(item.node.id) ?? 0);
    const change = (item.change?.gain ?? 0) + (item.reply?.gain ?? 0);
    return { total: direct + answer + change + prior, graph: 0, parts: NOTHING };
  };
}

/** Returns the weights that a domain's own ones, or the file's, come to in an answer; worked out once for all items of a domain. */
function moved(
  file: LinearModel,
  move: (own: LinearModel, answer: MixedAnswer) => LinearModel,
): (own: LinearModel | null | undefined, answer: MixedAnswer | undefined) => LinearModel {
  const known = new Map<MixedAnswer, { readonly own: LinearModel; readonly weights: LinearModel }>();
  return (given, answer) => {
    const own = given ?? file;
    if (answer === undefined) return own;
    let found = known.get(answer);
    if (found?.own !== own) {
      found = { own, weights: move(own, answer) };
      known.set(answer, found);
    }
    return found.weights;
  };
}

function groupSums<T>(
  features: ReadonlyArray<Feature<T>>,
  { intercept, weights }: LinearModel,
  item: T,
): Record<FeatureGroup, number> {
  const sums = { direct: intercept, answer: 0, ...NOTHING };
  features.forEach(({ group, value }, i) => {
    sums[group] += weights[i]! * value(item);
  });
  return sums;
}

/** Returns the factor of a shared entity, which is two mentions: feedback may have moved either. */
function sharedFactor(shared: Shared, id: string, factor: (edge: string) => number): number {
  return factor(mentionId(shared.from, shared.entity)) * factor(mentionId(id, shared.entity));
}

function chainFactor(item: Features, factor: (edge: string) => number): number {
  return chainEdges(item).reduce((product, edge) => product * factor(edge), 1);
}

/**
 * Returns the mention or typed edge that the best chain to an item leaves by, or a link where the item is about what is mentioned.
 */
function chainEdges({ chains, forward }: Features): string[] {
  const chain = chains.first ?? chains.second;
  if (chain?.edge !== undefined) return [chain.edge];
  if (chain !== undefined && forward?.from === chain.from) return [forward.edge];
  return chain === undefined ? [] : [mentionId(chain.from, conceptId(chain.bridge.domain, chain.bridge.key))];
}

/** Returns the ids of the edges that a part of the score stands on. */
export function edgesOf(features: Features): Array<{ readonly edge: string; readonly part: GraphPart }> {
  const { node, forward, shared } = features;
  return [
    ...(forward === undefined ? [] : [{ edge: forward.edge, part: 'forward' as const }]),
    ...(shared === undefined
      ? []
      : [
          { edge: mentionId(shared.from, shared.entity), part: 'shared' as const },
          { edge: mentionId(node.id, shared.entity), part: 'shared' as const },
        ]),
    ...chainEdges(features).map((edge) => ({ edge, part: 'chain' as const })),
  ];
}

/** Returns the probability of log odds, 0..1, with six decimals: a returned score can be sent back as a threshold. */
export function probability(logOdds: number): number {
  return Math.round(1e6 / (1 + Math.exp(-logOdds))) / 1e6;
}

/** Returns the probability that an item of this cosine is needed (mode vec). */
export function toProbability(cosine: number, { slope, offset }: Calibration): number {
  return probability(slope * cosine + offset);
}
