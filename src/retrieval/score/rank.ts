import { SvcError } from '../../core/errors.js';
import type { GraphNode } from '../../core/model.js';
import { languageOf } from '../../core/text/language.js';
import type { RetrievalParts } from '../collaborators.js';
import { conversationItems } from '../conversation/conversation.js';
import type { MessageItem } from '../conversation/message-features.js';
import { ItemTexts } from '../expand/item-words.js';
import type { Question } from '../seed/question.js';
import { embedQuestion, nearest, type Scope, seed, widened } from '../seed/seed.js';
import { documentItems, isMessage } from './documents.js';
import type { Features } from './features.js';
import { mixedAnswers } from './mixed.js';
import { modelRanker } from './ranker.js';
import { inRatedOrder } from './rated-order.js';
import {
  type BaselineScore,
  documentScorer,
  messageScorer,
  probability,
  toProbability,
  withChainEnds,
} from './score.js';
import { sharedPriors } from './shared-priors.js';

/** One item in its place. */
export interface RankedItem {
  readonly node: GraphNode;
  readonly score: number;
  /** Cosine with the question. */
  readonly cosine: number;
  /** Null in mode vec. */
  readonly baseline: BaselineScore | null;
  /** Set on documents, concepts and rows outside mode vec. */
  readonly features: Features | null;
  /** Set on turns of conversations outside mode vec. */
  readonly message: MessageItem | null;
}

export interface Ranking {
  /** Best first, ties by id; more than requested, so that duplicates may be left out. */
  readonly items: readonly RankedItem[];
  readonly question: Question | null;
  /** The question's vector; null without a model. */
  readonly vector: Float32Array | null;
  /** Words of the items, as far as they were read. */
  readonly texts: ItemTexts;
}

/** How one mode ranks. */
export type Rank = (
  parts: RetrievalParts,
  context: string,
  scope: Scope & {
    readonly factors: ReadonlyMap<string, number>;
    /** The question as it was put, under which ratings are kept; absent where `context` is that. */
    readonly asked?: string | undefined;
  },
) => Promise<Ranking>;

/** Room for duplicates beyond the items requested: the first search takes this many more, a second one four times as many. */
const SLACK = 10;

/** Ranks by cosine only. Throws `unavailable` without an embedding model. */
export const byCosine: Rank = async (parts, context, { domains, topK }) => {
  const vector = await embedQuestion(parts, context);
  if (vector === null) {
    throw new SvcError(
      'unavailable',
      'Mode vec needs an embedding model and this service runs without one; use mode auto or graph, or set SVC_EMBEDDING.',
    );
  }
  const { vec } = modelRanker(parts.ranker, parts.embedding?.name ?? null);
  const hits = await nearest(parts, vector, { domains, topK: topK + SLACK });
  const nodes = new Map((await parts.graph.getNodes(hits.map((hit) => hit.id))).map((node) => [node.id, node]));
  const items = hits.flatMap((hit) => {
    const node = nodes.get(hit.id);
    if (node === undefined) return [];
    return [
      { node, score: toProbability(hit.score, vec), cosine: hit.score, baseline: null, features: null, message: null },
    ];
  });
  return { items: items.sort(byScore), question: null, vector, texts: new ItemTexts(languageOf(context)) };
};

/** Ranks through the whole pipeline: seed → expand → chains → candidates → features → score. */
export const byGraph: Rank = (parts, context, scope) => runPipeline(parts, context, { ...scope, graph: true });

/** Ranks by text and vectors, without the graph. */
export const byTextAndVectors: Rank = (parts, context, scope) =>
  runPipeline(parts, context, { ...scope, graph: false });

async function runPipeline(
  parts: RetrievalParts,
  context: string,
  { factors, graph, asked = context, ...scope }: Parameters<Rank>[2] & { readonly graph: boolean },
): Promise<Ranking> {
  let seeds = await seed(parts, context, scope);
  const { question } = seeds;
  const model = modelRanker(parts.ranker, parts.embedding?.name ?? null);
  const texts = new ItemTexts(question.language, question.compounds);
  const found = new Map((await parts.graph.getNodes(seeds.ids)).map((node) => [node.id, node]));
  const messages = [...found.values()].filter(isMessage);
  if (messages.length > 0) {
    seeds = await widened(parts, seeds, scope);
    const others = await parts.graph.getNodes(seeds.ids.filter((id) => !found.has(id)));
    for (const node of others) if (!isMessage(node)) found.set(node.id, node);
  }
  const documents = messages.length < found.size;
  const [features, turns] = await Promise.all([
    documents ? documentItems(parts, seeds, { ...scope, graph, found, texts }) : [],
    conversationItems(parts, messages, { question, domains: scope.domains, texts }),
  ]);
  const nodes = [...features, ...turns].map(({ node }) => node);
  const rated = await parts.adjustments.itemPriors(
    asked,
    question.vector,
    nodes.map((node) => node.id),
    Promise.resolve(nodes),
  );
  const priors = sharedPriors(rated, nodes, texts);
  const ratings =
    rated.size === 0
      ? undefined
      : await parts.adjustments.ownRatings?.(asked, [...rated.keys()], Promise.resolve(nodes));
  const rankers = await parts.adjustments.rankers();
  const mixed = mixedAnswers(model, { documents: features, turns, hasModel: question.vector !== null });
  const scoreDocument = documentScorer(parts.ranker, model, mixed);
  const scoreMessage = messageScorer(parts.ranker, model, mixed);
  const scores = withChainEnds(
    features,
    features.map((item) => scoreDocument(item, { factors, priors, rankers })),
    { shares: parts.ranker.chains, factors },
  );
  const items: RankedItem[] = [
    ...features.map((item, i) => {
      const baseline = scores[i]!;
      const { node, direct } = item;
      return {
        node,
        score: probability(baseline.total),
        cosine: direct.cosine,
        baseline,
        features: item,
        message: null,
      };
    }),
    ...turns.map((item) => {
      const baseline = scoreMessage(item, { factors, priors, rankers });
      const { node, cosine } = item;
      return { node, score: probability(baseline.total), cosine, baseline, features: null, message: item };
    }),
  ];
  const ordered = ratings === undefined ? items : inRatedOrder(items, ratings);
  return { items: ordered.sort(byBaseline), question, vector: question.vector, texts };
}

function byBaseline(a: RankedItem, b: RankedItem): number {
  return (b.baseline?.total ?? 0) - (a.baseline?.total ?? 0) || byId(a, b);
}

function byScore(a: RankedItem, b: RankedItem): number {
  return b.cosine - a.cosine || byId(a, b);
}

function byId(a: RankedItem, b: RankedItem): number {
  return a.node.id < b.node.id ? -1 : a.node.id > b.node.id ? 1 : 0;
}
