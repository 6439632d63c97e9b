import { SvcError } from '../../core/errors.js';
import type { GraphNode } from '../../core/model.js';
import type { RetrievalParts } from '../collaborators.js';
import { candidates } from '../expand/candidates.js';
import { Evidence } from '../expand/evidence.js';
import { expand } from '../expand/expand.js';
import type { Question } from '../seed/question.js';
import { embedQuestion, nearest, type Scope, seed } from '../seed/seed.js';
import { type Features, featuresOf, graphEvidence } from './features.js';
import { modelRanker } from './ranker.js';
import { type BaselineScore, baselineScorer, directScorer, toProbability } from './score.js';

/** One item in its place. `features` is null in mode vec. */
export interface RankedItem {
  readonly node: GraphNode;
  readonly score: number;
  /** Cosine with the question. */
  readonly cosine: number;
  readonly baseline: BaselineScore | null;
  readonly features: Features | null;
}

export interface Ranking {
  /** Best first, ties by id; more than requested, so that duplicates may go. */
  readonly items: readonly RankedItem[];
  readonly question: Question | null;
  /** The question's vector; null without a model. */
  readonly vector: Float32Array | null;
}

/** How one mode ranks. */
export type Rank = (
  parts: RetrievalParts,
  context: string,
  scope: Scope & { readonly factors: ReadonlyMap<string, number> },
) => Promise<Ranking>;

/** Room for duplicates beyond the items requested. */
const SLACK = 10;

/** Cosine only. Throws `unavailable` without an embedding model. */
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
    return [{ node, score: toProbability(hit.score, vec), cosine: hit.score, baseline: null, features: null }];
  });
  return { items: items.sort(byScore), question: null, vector };
};

/** The whole line: seed → expand → candidates → features → score → adjust. */
export const byGraph: Rank = (parts, context, scope) => runPipeline(parts, context, { ...scope, graph: true });

/** The same without the graph: text and vectors. */
export const byTextAndVectors: Rank = (parts, context, scope) =>
  runPipeline(parts, context, { ...scope, graph: false });

async function runPipeline(
  parts: RetrievalParts,
  context: string,
  { factors, graph, ...scope }: Parameters<Rank>[2] & { readonly graph: boolean },
): Promise<Ranking> {
  const { domains, topK } = scope;
  const seeds = await seed(parts, context, scope);
  const { question } = seeds;
  const evidence = new Evidence(parts, question, domains);
  await evidence.gather(seeds.ids, seeds);
  const expanded = graph ? await expand(parts, { question, evidence }, domains) : null;
  const found = expanded === null ? null : graphEvidence(expanded, question, evidence);
  const chosen = candidates(evidence, found, { topK, weights: parts.ranker.graph.document });
  const sources = new Map((expanded?.sources ?? []).map(({ node }) => [node.id, node]));
  const reading = parts.graph
    .getNodes(chosen.filter((id) => !sources.has(id)))
    .then((others) => [...others, ...chosen.flatMap((id) => sources.get(id) ?? [])]);
  const [nodes, priors] = await Promise.all([
    reading,
    parts.adjustments.itemPriors(context, question.vector, chosen, reading),
    evidence.gather(chosen),
  ]);
  const model = modelRanker(parts.ranker, parts.embedding?.name ?? null);
  const scorer = expanded === null ? directScorer(parts.ranker) : baselineScorer(parts.ranker, model, expanded.best);
  const items = featuresOf(nodes, evidence, found).map((features) => {
    const baseline = scorer(features, { factors, priors });
    const { node, direct } = features;
    return { node, score: toProbability(baseline.total, model.graph), cosine: direct.cosine, baseline, features };
  });
  return { items: items.sort(byBaseline), question, vector: question.vector };
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
