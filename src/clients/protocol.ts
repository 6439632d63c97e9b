import type { Static } from '@sinclair/typebox';
import type { DomainEntry, EdgeItem, NodeItem, QueryResult, RuleItem } from '../operations/shapes.js';

/** Ranked items, the rules that apply, and the id that feedback refers to. */
export type ClientQueryResult = Static<typeof QueryResult>;
export type ClientNode = Static<typeof NodeItem>;
export type ClientEdge = Static<typeof EdgeItem>;
export type ClientRule = Static<typeof RuleItem>;
export type ClientDomain = Static<typeof DomainEntry>;

export interface ExploreResult {
  readonly node: ClientNode;
  readonly edges: ClientEdge[];
  readonly neighbors: ClientNode[];
  readonly rules: ClientRule[];
  /** Set where further neighbours or rules were left out. */
  readonly truncated?: true;
}

export interface RulesResult {
  readonly rules: ClientRule[];
  /** Distinct domains among the rules. */
  readonly domain_count: number;
  readonly projection: 'rules';
  /** Rules that the filter finds; `rules` is a page of them. */
  readonly total: number;
  /** Sentences about concepts that are not there; absent where all are. */
  readonly warnings?: readonly string[];
}

export interface CallOptions {
  /** Cancels the call: it throws `cancelled`. What was written until then stays. */
  readonly signal?: AbortSignal | undefined;
}

export interface QueryOptions extends CallOptions {
  /** Domains to search; all when omitted. */
  readonly domains?: readonly string[];
  /** Items to return, 1 to 1000; default 10. */
  readonly top_k?: number;
  /** Least score, 0 to 1; default 0. */
  readonly min_confidence?: number;
}

export interface RulesOptions extends CallOptions {
  readonly domains?: readonly string[];
  readonly concept_ids?: readonly string[];
  readonly categories?: readonly string[];
  /** Rules to return at most, 1 to 10,000; default 100. */
  readonly limit?: number;
  /** Rules to skip before the first; default 0. */
  readonly offset?: number;
}

/**
 * What an agent needs of the service, in process or over HTTP. Every method throws `SvcError` with the same codes on
 * both; `explore` returns null for an absent node.
 */
export interface KnowledgeClient {
  query(context: string, options?: QueryOptions): Promise<ClientQueryResult>;
  /** Returns a node with what lies around it, null for an absent one. `depth` is clamped to 1..3; default 1. */
  explore(nodeId: string, depth?: number, options?: CallOptions): Promise<ExploreResult | null>;
  rules(options?: RulesOptions): Promise<RulesResult>;
  /** Records outcomes of a query: item id → `accepted`, `rejected` or `partial`. */
  feedback(
    queryId: string,
    outcomes: Readonly<Record<string, string>>,
    source?: string,
    options?: CallOptions,
  ): Promise<void>;
  status(options?: CallOptions): Promise<Record<string, unknown>>;
  domains(options?: CallOptions): Promise<ClientDomain[]>;
  /** Ingests a file of the machine the client runs on. */
  ingest(sourcePath: string, domain: string, options?: CallOptions): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}
