import { randomUUID } from 'node:crypto';
import { isoTime } from '../core/clock.js';
import type { Adjustments, RetrievalParts } from './collaborators.js';
import { type CompareRequest, type CompareResult, compareModes } from './compare.js';
import { contributions } from './contributions.js';
import { distinct } from './distinct.js';
import { checkedDomains } from './domains.js';
import { type ExploreResult, explore } from './explore.js';
import { MODES, type ModeName } from './modes.js';
import { present, type QueryItem } from './present.js';
import type { RankedItem } from './rank.js';
import { listRules, type RulesRequest, type RulesResult } from './rules.js';
import { type RuleItem, surfaceRules } from './surface-rules.js';

export interface QueryRequest {
  readonly context: string;
  /** All when empty or absent. */
  readonly domains?: readonly string[] | undefined;
  /** 1..1000. */
  readonly top_k: number;
  /** Items whose score is lower are left out. */
  readonly min_confidence?: number | undefined;
  readonly mode?: ModeName | undefined;
}

export interface QueryResult {
  readonly query_id: string;
  readonly items: QueryItem[];
  readonly rules: RuleItem[];
}

/** Answers questions from the graph, the vectors and the text index together. */
export class Retrieval {
  /** Version of the edge factors that the graph holds. */
  private factors: number | undefined;

  constructor(private readonly parts: RetrievalParts) {}

  /**
   * Ranked items and the rules that touch them. Domains are restricted before anything is searched. Throws
   * `domain_not_found`, and `unavailable` for mode vec without an embedding model.
   */
  async query(request: QueryRequest): Promise<QueryResult> {
    const domains = await checkedDomains(this.parts.graph, request.domains);
    const mode = request.mode ?? 'auto';
    const { ranked, items } = await this.rank(request, domains);
    const rules = mode === 'vec' ? [] : await surfaceRules(this.parts.graph, items, domains);
    const queryId = randomUUID();
    await this.log(queryId, { ...request, mode, domains: domains ?? [] }, ranked);
    return { query_id: queryId, items, rules };
  }

  /** Cosine-only beside graph-enhanced retrieval. Nothing is logged: there is no query to give feedback on. */
  async compare(request: CompareRequest): Promise<CompareResult> {
    const domains = await checkedDomains(this.parts.graph, request.domains);
    const answer = async (mode: ModeName) => (await this.rank({ ...request, mode }, domains)).items;
    const vec = this.parts.embedding === null ? [] : await answer('vec');
    const graph = await answer('graph');
    return compareModes(request.context, { vec, graph, rules: await surfaceRules(this.parts.graph, graph, domains) });
  }

  /** A node with its typed edges and neighbours within `depth` hops (clamped to 1..3); null if absent. */
  explore(nodeId: string, depth = 1): Promise<ExploreResult | null> {
    return explore(this.parts.graph, nodeId, depth);
  }

  /** Explicit and derived rules; relevance = confidence. */
  async rules(request: RulesRequest): Promise<RulesResult> {
    return listRules(this.parts.graph, {
      ...request,
      domains: await checkedDomains(this.parts.graph, request.domains),
    });
  }

  private async rank(
    { context, top_k, mode, min_confidence }: QueryRequest,
    domains: readonly string[] | undefined,
  ): Promise<{ ranked: RankedItem[]; items: QueryItem[] }> {
    const adjustments = await this.adjustments(domains);
    const rank = await MODES[mode ?? 'auto'](this.parts, domains);
    const { items, question } = await rank(this.parts, context, { domains, topK: top_k, adjustments });
    const least = min_confidence ?? 0;
    const ranked = distinct(items, top_k).filter((item) => item.score >= least);
    return { ranked, items: ranked.map((item) => present(item, { question, text: context })) };
  }

  /** What feedback taught; the graph hears of new factors before it is asked. */
  private async adjustments(domains: readonly string[] | undefined): Promise<Adjustments> {
    const current = await this.parts.adjustments.current(domains);
    if (current.version !== this.factors) {
      this.parts.graph.setEdgeFactors(current.factors);
      this.factors = current.version;
    }
    return current;
  }

  private async log(
    query_id: string,
    { context, domains, mode }: { context: string; domains: readonly string[]; mode: string },
    ranked: readonly RankedItem[],
  ): Promise<void> {
    await this.parts.querylog.record({
      query_id,
      context,
      domains,
      mode,
      created_at: isoTime(this.parts.clock()),
      items: ranked.map((item, i) => ({
        id: item.node.id,
        domain: item.node.domain,
        rank: i + 1,
        score: item.score,
        contributions: contributions(item),
      })),
    });
  }
}
