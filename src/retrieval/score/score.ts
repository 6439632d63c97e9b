import { conceptId } from '../../core/ids.js';
import type { DomainRanker, LinearModel } from '../../learning/feedback/adjustments.js';
import type { Chain } from '../chains/chain-types.js';
import type { MessageItem } from '../conversation/message-features.js';
import { MESSAGE_FEATURES } from '../conversation/message-features.js';
import { mentionId } from '../expand/link-ids.js';
import type { Shared } from '../expand/shared.js';
import { carriedByChains, chainEnds } from './chain-ends.js';
import { DOCUMENT_FEATURES, type Feature, type FeatureGroup } from './document-features.js';
import type { Features } from './features.js';
import type { MixedAnswer, MixedAnswers } from './mixed.js';
import type { Calibration, ChainShares, ModelRanker, Ranker } from './ranker-types.js';

/** Groups of features that came through the graph. */
export type GraphPart = Exclude<FeatureGroup, 'direct' | 'answer'>;

/** Log odds of being needed, with their parts, so that they can be explained and credited. */
export interface BaselineScore {
  readonly total: number;
  /** The part that came through the graph; 0 or more. */
  readonly graph: number;
  readonly parts: Readonly<Record<GraphPart, number>>;
  /** The part that is no evidence of the item: feedback on it, asked days and cells, and what other items of the answer take from it or give. */
  readonly besides: number;
  /** What a chain carried to the item from where it starts (`chain-ends.ts`), in log odds; absent where it carried nothing. */
  readonly carried?: { readonly chain: Chain; readonly gain: number };
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
      chain: part('chain', chainFactor(bestChain(item), item, factor)),
    };
    const graph = parts.forward + parts.shared + parts.pagerank + parts.chain;
    const prior = ranker.prior * (adjustments.priors.get(node.id) ?? 0);
    const lost = answer?.lost(item) ?? 0;
    const change = item.change?.gain ?? 0;
    const days = ofDays(ranker, item);
    const cells = ranker.explanation.row * item.unexplained + ofLack(ranker, item);
    const besides = change + days + cells + prior + lost;
    return {
      total: sums.direct + sums.answer + graph + besides,
      graph: Math.max(0, graph),
      parts,
      besides,
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
    const besides = change + prior;
    return { total: direct + answer + besides, graph: 0, parts: NOTHING, besides };
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

/** Places of the groups in an array of their sums: an object of numbers would be made anew for each of some thirty features. */
const PLACES: Readonly<Record<FeatureGroup, number>> = {
  direct: 0,
  answer: 1,
  forward: 2,
  shared: 3,
  pagerank: 4,
  chain: 5,
};

function groupSums<T>(
  features: ReadonlyArray<Feature<T>>,
  { intercept, weights }: LinearModel,
  item: T,
): Record<FeatureGroup, number> {
  const sums = Float64Array.of(intercept, 0, 0, 0, 0, 0);
  for (let i = 0; i < features.length; i += 1) {
    const { group, value } = features[i]!;
    sums[PLACES[group]]! += weights[i]! * value(item);
  }
  return {
    direct: sums[PLACES.direct]!,
    answer: sums[PLACES.answer]!,
    forward: sums[PLACES.forward]!,
    shared: sums[PLACES.shared]!,
    pagerank: sums[PLACES.pagerank]!,
    chain: sums[PLACES.chain]!,
  };
}

/** Returns the factor of a shared entity, which is two mentions: feedback may have moved either. */
function sharedFactor(shared: Shared, id: string, factor: (edge: string) => number): number {
  return factor(mentionId(shared.from, shared.entity)) * factor(mentionId(id, shared.entity));
}

function chainFactor(
  chain: Chain | undefined,
  { forward }: Pick<Features, 'forward'>,
  factor: (edge: string) => number,
): number {
  return chainEdges(chain, forward).reduce((product, edge) => product * factor(edge), 1);
}

/**
 * Returns the mention or typed edge that a chain to an item leaves by, or a link where the item is about what is mentioned.
 */
export function chainEdges(chain: Chain | undefined, forward: Features['forward']): string[] {
  if (chain?.edge !== undefined) return [chain.edge];
  if (chain !== undefined && forward?.from === chain.from) return [forward.edge];
  return chain === undefined ? [] : [mentionId(chain.from, conceptId(chain.bridge.domain, chain.bridge.key))];
}

/**
 * Returns the scores of an answer's documents after chains carried to where they end what they start from (`chain-ends.ts`): what an item gains is the graph's. Feedback on the
 * edge that a chain leaves by counts there too.
 */
export function withChainEnds(
  items: readonly Features[],
  scores: readonly BaselineScore[],
  { shares, factors }: { readonly shares: ChainShares; readonly factors: Adjustments['factors'] },
): BaselineScore[] {
  const factor = (edge: string) => factors.get(edge) ?? 1;
  const ends = chainEnds(items);
  const carried = carriedByChains(
    scores.map(({ total, besides }, i) => {
      const { chains, forward } = items[i]!;
      const along = (chain: Chain | undefined): number => chainFactor(chain, { forward }, factor);
      const evidence = total - besides;
      return {
        evidence,
        besides,
        ends: ends[i]!,
        factors: { first: along(chains.first), second: along(chains.second) },
      };
    }),
    shares,
  );
  return scores.map((score, i) => {
    const { evidence, by } = carried[i]!;
    if (by === undefined) return score;
    const gain = evidence + score.besides - score.total;
    const chain = items[i]!.chains[by]!;
    return { ...score, total: score.total + gain, graph: score.graph + gain, carried: { chain, gain } };
  });
}

/** Returns the chain that the features of chains speak of. */
export function bestChain({ chains }: Pick<Features, 'chains'>): Chain | undefined {
  return chains.first ?? chains.second;
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
    ...chainEdges(bestChain(features), forward).map((edge) => ({ edge, part: 'chain' as const })),
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
