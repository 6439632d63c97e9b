import type { Expansion } from '../../backends/graph/port.js';
import { forEachInSlices, slicer } from '../../core/async/slices.js';
import type { GraphNode } from '../../core/model.js';
import { rowsWithout } from '../cells/absent-rows.js';
import { NO_CHAINS } from '../chains/chain-types.js';
import { followChains } from '../chains/chains.js';
import { chainStarts } from '../chains/starts.js';
import { documentChanges } from '../change/document-changes.js';
import type { RetrievalParts } from '../collaborators.js';
import { todayOf } from '../dates/dates.js';
import { dayHolders } from '../dates/day-holders.js';
import { askedNames } from '../expand/asked-names.js';
import { candidates, directCandidates } from '../expand/candidates.js';
import { documentContrasts } from '../expand/contrast.js';
import { Copies } from '../expand/copies.js';
import { Evidence } from '../expand/evidence.js';
import { type Expanded, expand } from '../expand/expand.js';
import type { ItemTexts } from '../expand/item-words.js';
import { likeWords, tellsLikeWords } from '../expand/like-words.js';
import { askedRelations } from '../expand/relations.js';
import { type Question, withoutCopies } from '../seed/question.js';
import { type HeldUnit, heldTogether, rareHolders, rarity } from '../seed/rare.js';
import type { Scope, Seeds } from '../seed/seed.js';
import { withMean, worthOf } from './answer-mean.js';
import { DOCUMENT_FEATURES } from './document-features.js';
import { type Features, featuresOf, type GraphEvidence, graphEvidence } from './features.js';
import { modelRanker } from './ranker.js';

/** What is read ahead gives way after so many milliseconds: chains go on as soon as the encoder answers. */
const AHEAD_MS = 1;

/** Returns the features of the documents, concepts and rows that may answer. */
export async function documentItems(
  parts: RetrievalParts,
  seeds: Seeds,
  scope: Scope & {
    /** False: text and vectors alone. */
    readonly graph: boolean;
    readonly found: Map<string, GraphNode>;
    readonly texts: ItemTexts;
  },
): Promise<Features[]> {
  const { domains, topK, found, texts } = scope;
  const within = domains ?? [...new Set([...found.values()].map((node) => node.domain))].sort();
  const today = todayOf(parts.clock);
  const [holders, held] = await Promise.all([
    rareHolders(parts, seeds.question, within),
    dayHolders(parts, seeds.question, { domains: within, today }),
  ]);
  const rareIds = holders.flatMap(({ ids }) => ids);
  const asked = [...new Set([...rareIds, ...(held?.ids ?? []), ...(held?.earlier ?? [])])].filter(
    (id) => !found.has(id),
  );
  const fetched = new Map((await parts.graph.getNodes(asked)).map((node) => [node.id, node]));
  const days = held?.days;
  await days?.read([...found.values(), ...fetched.values()]);
  const ofDays = [...(days?.items ?? [])];
  // Most of those that may hold a day hold its numbers by chance: they join nothing.
  const unseen = [...new Set([...rareIds, ...ofDays.map(([id]) => id)])].flatMap((id) => fetched.get(id) ?? []);
  for (const node of unseen) found.set(node.id, node);
  const without = await rowsWithout(parts, seeds.question, { nodes: found.values(), days });
  for (const node of without) found.set(node.id, node);
  const copies = new Copies();
  copies.add(found.values());
  const question = withoutCopies(seeds.question, copies);
  await forEachInSlices([...unseen, ...without], (node) => texts.of(node), 'urgent');
  const units = heldTogether(holders, { nodes: found, texts });
  const brief = ofDays.flatMap(([id, { isBrief }]) => (isBrief ? [id] : []));
  const rare = rarity(brief.length === 0 ? units : [...units, { ids: brief }], copies);
  const evidence = new Evidence(parts, question, domains);
  await evidence.gather(
    [...found.keys()].filter((id) => !isMessage(found.get(id))),
    seeds,
  );
  const direct = [...new Set([...directCandidates(evidence, rare, topK), ...without.map(({ id }) => id)])];
  if (scope.graph) {
    // Concepts may be long: chains read all words of those they may start from at once.
    const concepts = [...found.values()].filter(
      ({ id, kind }) => kind === 'concept' && (question.named.has(id) || rare.has(id)),
    );
    await forEachInSlices(concepts, (node) => texts.of(node).all, 'urgent');
  }
  const starts = scope.graph ? chainStarts({ question, evidence, texts, copies, nodes: found, rare }) : [];
  const pool: Pool = { question, units, evidence, texts, copies, direct, nodes: found };
  const hasChains = starts.length > 0;
  const expanded = scope.graph ? expandedAfter(parts, pool, { domains, ahead: hasChains }) : null;
  const edges = async (): Promise<Expansion['edges']> => (await expanded)?.expansion.edges ?? [];
  const [chains, graph] = await Promise.all([
    hasChains ? followChains(parts, starts, { ...pool, edges, domains }) : NO_CHAINS,
    expanded === null ? null : around(parts, pool, { expanded, ahead: hasChains }),
  ]);
  const nodes = await read(parts, candidates(direct, { graph, chains }), pool);
  copies.add(nodes);
  // The words of long items, read at once, would hold the event loop.
  await forEachInSlices(nodes, (node) => texts.of(node), 'urgent');
  const [like, contrast] = await Promise.all([
    likeWords(
      parts.table,
      question,
      nodes.map((node) => texts.of(node)),
    ),
    documentContrasts(parts, nodes, { question: question.vector, evidence }),
  ]);
  // What the graph and the chains brought in is not read yet.
  await days?.read(nodes);
  const vocabulary = tellsLikeWords(parts.table) ? parts.vocabulary : undefined;
  const items = featuresOf(nodes, { question, evidence, texts, graph, chains, like, contrast, rare, days, vocabulary });
  const { weights } = modelRanker(parts.ranker, parts.embedding?.name ?? null).document;
  const scored = withMean(items, {
    features: DOCUMENT_FEATURES,
    weights,
    distinct: copies.distinct(items, ({ node }) => node.id),
  });
  const worth = (place: number): number => worthOf(scored[place]!, DOCUMENT_FEATURES, weights);
  const changes = await documentChanges(parts, scored, { question, texts, worth });
  return changes.size === 0 ? scored : scored.map((item) => ({ ...item, change: changes.get(item.node.id) }));
}

/** What is known about items while one question is answered. */
interface Pool {
  readonly question: Question;
  readonly units: readonly HeldUnit[];
  readonly evidence: Evidence;
  readonly texts: ItemTexts;
  readonly copies: Copies;
  /** Candidates by direct evidence. */
  readonly direct: readonly string[];
  readonly nodes: Map<string, GraphNode>;
}

/** Returns what the graph says around the best items. `ahead`: chains begin first. */
async function expandedAfter(
  parts: RetrievalParts,
  pool: Pool,
  { domains, ahead }: { readonly domains: readonly string[] | undefined; readonly ahead: boolean },
): Promise<Expanded> {
  if (ahead) await new Promise<void>((resolve) => setImmediate(resolve));
  return expand(parts, pool, domains);
}

/**
 * Returns the evidence of the graph around the best items. `ahead`: chains wait for the encoder, so the candidates that are known
 * without them are read meanwhile.
 */
async function around(
  parts: RetrievalParts,
  pool: Pool,
  { expanded: soon, ahead }: { readonly expanded: Promise<Expanded>; readonly ahead: boolean },
): Promise<GraphEvidence> {
  const { question, nodes } = pool;
  const expanded = await soon;
  const names = askedNames(nodes.values(), question);
  const { edges } = expanded.expansion;
  const relations = await askedRelations(question, { edges, names }, parts.embedding);
  const graph = graphEvidence(expanded, { ...pool, names, relations });
  if (ahead) {
    const pause = slicer('urgent', AHEAD_MS);
    for (const node of await read(parts, candidates(pool.direct, { graph, chains: NO_CHAINS }), pool)) {
      pool.texts.of(node);
      await pause();
    }
  }
  return graph;
}

/** Brings candidates and their direct evidence into the pool; returns them without messages. */
async function read(parts: RetrievalParts, ids: readonly string[], { nodes, evidence }: Pool): Promise<GraphNode[]> {
  const missing = ids.filter((id) => !nodes.has(id));
  const [others] = await Promise.all([parts.graph.getNodes(missing), evidence.gather(ids)]);
  for (const node of others) nodes.set(node.id, node);
  return ids.flatMap((id) => nodes.get(id) ?? []).filter((node) => !isMessage(node));
}

export function isMessage(node: GraphNode | undefined): boolean {
  return node?.passage?.message !== undefined;
}
