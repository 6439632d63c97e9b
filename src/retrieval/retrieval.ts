import { randomUUID } from 'node:crypto';
import { mapInSlices } from '../core/async/slices.js';
import { isUnavailable } from '../core/errors.js';
import { textHash } from '../core/ids.js';
import { MOST_FEATURES } from '../learning/ranker/query-features.js';
import type { RetrievalParts } from './collaborators.js';
import { type CompareRequest, type CompareResult, compareModes } from './compare.js';
import { rememberedSentences } from './expand/remembered-sentences.js';
import { type ExploreResult, explore } from './explore.js';
import { MODES, type ModeName } from './modes.js';
import { type NamedNodes, nodesNamed } from './named.js';
import { type DistinctItem, distinct } from './present/distinct.js';
import { questionTerms } from './present/explain.js';
import { present, type QueryItem } from './present/present.js';
import { sourcesOf } from './present/sources.js';
import { type RuleItem, surfaceRules } from './present/surface-rules.js';
import { remaining, watched } from './remaining.js';
import { listRules, type RulesRequest, type RulesResult } from './rules.js';
import { contributions } from './score/contributions.js';
import { featureValues } from './score/feature-values.js';
import type { Rank, RankedItem } from './score/rank.js';
import { checkedDomains, namesOf } from './seed/domains.js';
import { lookUpNames } from './seed/seed.js';
import { spelledAsFound } from './seed/spellings.js';

export interface QueryRequest {
  readonly context: string;
  /** All when empty or absent. */
  readonly domains?: readonly string[] | undefined;
  /** 1..1000. */
  readonly top_k: number;
  /** Items whose score is lower are left out. */
  readonly min_confidence?: number | undefined;
  readonly mode?: ModeName | undefined;
  /** Who asks, where callers prove who they are. */
  readonly owner?: string | undefined;
}

export interface QueryResult {
  readonly query_id: string;
  readonly items: QueryItem[];
  readonly rules: RuleItem[];
  /** Sentences about parts that could not take part; absent where all did. */
  readonly warnings?: string[];
}

interface RankedAnswer {
  readonly ranked: readonly DistinctItem[];
  readonly items: QueryItem[];
  readonly vector: Float32Array | null;
  readonly domains: readonly string[] | undefined;
}

/** Nearest items that mode vec looks through for distinct ones, at most. */
const WIDEST = 16_000;

/** Returns items and what stands behind them, with the item's score: rules may touch either. */
function withDuplicates(ranked: readonly DistinctItem[]): Array<{ readonly id: string; readonly score: number }> {
  return ranked.flatMap(({ node, duplicates, score }) => [node, ...duplicates].map(({ id }) => ({ id, score })));
}

/** Returns the sentence of a part that does not answer; throws any other error. */
function sentenceOf(error: unknown): string {
  if (isUnavailable(error)) return error.message;
  throw error;
}

/** Answers questions from the graph, the vectors and the text index together. */
export class Retrieval {
  /** The edge factors that the graph holds. */
  private factors: { readonly version: number; readonly edges: ReadonlyMap<string, number> } | undefined;

  constructor(private readonly parts: RetrievalParts) {}

  /**
   * Returns ranked items and the rules that touch them. Domains are restricted before anything is searched. Throws
   * `domain_not_found`, and `unavailable` for mode vec without an embedding model.
   */
  query(request: QueryRequest): Promise<QueryResult> {
    return this.atOneMoment(() => this.answer(request));
  }

  private async answer(request: QueryRequest): Promise<QueryResult> {
    const mode = request.mode ?? 'auto';
    const parts = await this.currentParts();
    const { ranked, items, vector, domains, warnings } = await this.rankOrDegrade(parts, { ...request, mode });
    const rules = mode === 'vec' ? [] : await surfaceRules(this.parts.graph, withDuplicates(ranked), domains);
    const queryId = randomUUID();
    const { context, owner } = request;
    await this.log(queryId, { context, owner, mode, domains: domains ?? [], vector, parts }, ranked);
    return { query_id: queryId, items, rules, ...(warnings.length === 0 ? {} : { warnings }) };
  }

  /**
   * Compares cosine-only with graph-enhanced retrieval, also where cosine fails because its model does not answer. Nothing is
   * logged: there is no query to give feedback on.
   */
  compare(request: CompareRequest): Promise<CompareResult> {
    return this.atOneMoment(() => this.compared(request));
  }

  private async compared(request: CompareRequest): Promise<CompareResult> {
    const domains = await checkedDomains(this.parts.graph, request.domains);
    const parts = await this.currentParts();
    const graph = await this.rankOrDegrade(parts, { ...request, mode: 'graph' });
    const rules = await surfaceRules(this.parts.graph, withDuplicates(graph.ranked), domains);
    const cosine = async (): Promise<QueryItem[]> => (await this.rank(parts, { ...request, mode: 'vec' })).items;
    const vec = parts.embedding === null ? [] : await cosine().catch(sentenceOf);
    return compareModes(request.context, { vec, graph: graph.items, rules, warnings: graph.warnings });
  }

  /**
   * Returns a node with its typed edges and neighbours within `depth` hops (clamped to 1..3), at most `limit` nodes of
   * these hops; null if absent.
   */
  explore(nodeId: string, depth = 1, limit?: number): Promise<ExploreResult | null> {
    return this.atOneMoment(() => explore(this.parts.graph, nodeId, { depth, limit }));
  }

  /** Returns the nodes of a name, or those whose names are the nearest; of all domains where none is named. */
  async named({ name, domains }: { readonly name: string; readonly domains?: readonly string[] }): Promise<NamedNodes> {
    const { graph } = this.parts;
    const checked = await checkedDomains(graph, domains);
    const all = checked ?? (await graph.listDomains()).map((domain) => domain.name);
    return this.atOneMoment(() => nodesNamed(graph, { name, domains: all }));
  }

  /** Returns explicit and derived rules; relevance = confidence. */
  async rules(request: RulesRequest): Promise<RulesResult> {
    return listRules(this.parts.graph, {
      ...request,
      domains: await checkedDomains(this.parts.graph, request.domains),
    });
  }

  /** Runs a request; on a store at a distance, what it asks again and again is read once. */
  private atOneMoment<T>(work: () => Promise<T>): Promise<T> {
    return this.parts.atOneMoment === undefined ? work() : this.parts.atOneMoment(work);
  }

  /** Returns the parts with the index and model that serve now, the same for the whole request. */
  private async currentParts(): Promise<RetrievalParts> {
    const parts = { ...this.parts, ...(await this.parts.current?.()) };
    return { ...parts, sentences: rememberedSentences(parts.sentences) };
  }

  /**
   * Returns the ranks by a mode; mode auto answers from what is left, with a warning, while the embedding model or an
   * engine of graph or text does not answer, and mode graph as long as text and graph are left.
   */
  private async rankOrDegrade(
    parts: RetrievalParts,
    request: QueryRequest,
  ): Promise<RankedAnswer & { readonly warnings: string[] }> {
    const { parts: used, modelFailed } = watched(parts);
    try {
      return { ...(await this.rank(used, request)), warnings: [] };
    } catch (error) {
      const rest =
        request.mode !== 'vec' && isUnavailable(error) ? await remaining(parts, request.context, modelFailed()) : null;
      if (rest === null || (request.mode === 'graph' && rest.rank !== undefined)) throw error;
      const answer = await this.rank({ ...parts, embedding: rest.embedding }, request, rest.rank);
      return { ...answer, warnings: [rest.warning] };
    }
  }

  private async rank(
    parts: RetrievalParts,
    { context: asked, top_k, mode, min_confidence, ...request }: QueryRequest,
    chosen?: Rank,
  ): Promise<RankedAnswer> {
    const factors = await this.edgeFactors();
    const names = namesOf(request.domains);
    const isByVectors = mode === 'vec' || chosen !== undefined;
    const context = isByVectors ? asked : await spelledAsFound(parts, asked, names);
    // Both look-ups run together, so that a graph on another machine takes one round trip.
    const keys = mode === 'vec' ? Promise.resolve([]) : lookUpNames(parts, context, names);
    keys.catch(() => undefined);
    const [domains, rank] = await Promise.all([
      checkedDomains(parts.graph, request.domains),
      chosen ?? MODES[mode ?? 'auto'](parts, names),
    ]);
    const least = min_confidence ?? 0;
    let width = top_k;
    let ranking = await rank(parts, context, { domains, topK: width, factors, keys, asked });
    let kept = distinct(ranking.items, top_k, ranking.texts);
    // Mode vec has nothing but the nearest items: as many more as duplicates take.
    while (mode === 'vec' && kept.length < top_k && ranking.items.length > width && width < WIDEST) {
      width *= 4;
      ranking = await rank(parts, context, { domains, topK: width, factors, keys, asked });
      kept = distinct(ranking.items, top_k, ranking.texts);
    }
    const ranked = kept.filter((item) => item.score >= least);
    const terms = questionTerms(ranking.question?.text ?? context, ranking);
    const sources = await sourcesOf(parts.graph, ranked);
    const items = await mapInSlices(ranked, (item) => present(item, { terms, sources }), 'urgent');
    return { ranked, items, vector: ranking.vector, domains };
  }

  /** Returns the factors that feedback gave edges; the graph gets new factors before any query. */
  private async edgeFactors(): Promise<ReadonlyMap<string, number>> {
    const version = await this.parts.adjustments.version();
    if (this.factors?.version !== version) {
      const edges = await this.parts.adjustments.edgeFactors();
      this.parts.graph.setEdgeFactors(edges);
      this.factors = { version, edges };
    }
    return this.factors.edges;
  }

  private async log(
    query_id: string,
    query: {
      context: string;
      owner: string | undefined;
      domains: readonly string[];
      mode: string;
      vector: Float32Array | null;
      parts: RetrievalParts;
    },
    ranked: readonly RankedItem[],
  ): Promise<void> {
    await this.parts.querylog.recordQuery({
      query_id,
      text: query.context,
      domains: query.domains,
      owner: query.owner,
      mode: query.mode,
      vector: query.vector,
      model: query.vector === null ? null : (query.parts.embedding?.name ?? null),
      items: ranked.map((item, place) => ({
        id: item.node.id,
        score: item.score,
        domain: item.node.domain,
        source_id: item.node.passage?.source_id,
        text_hash: textHash(item.node),
        edges: contributions(item),
        features: place < MOST_FEATURES ? featureValues(item) : null,
      })),
    });
  }
}
