import type { Static } from '@sinclair/typebox';
import type { DomainEntry, EdgeItem, NodeItem, QueryResult, RuleItem } from '../operations/shapes.js';

/** Ranked items, the rules that apply, and the id that feedback refers to. */
export type ClientQueryResult = Static<typeof QueryResult>;
/** A concept, passage or message, with its confidence (0..1) and what kind of node it is. */
export type ClientNode = Static<typeof NodeItem>;
/** A typed edge between two nodes, by their ids. */
export type ClientEdge = Static<typeof EdgeItem>;
/** A rule, given or derived from an edge; `relevance` (0..1) is of the query that it came with. */
export type ClientRule = Static<typeof RuleItem>;
/** A domain with the numbers of its concepts, edges and rules. */
export type ClientDomain = Static<typeof DomainEntry>;

/** A node with what lies around it. */
export interface ExploreResult {
  readonly node: ClientNode;
  readonly edges: ClientEdge[];
  readonly neighbors: ClientNode[];
  readonly rules: ClientRule[];
  /** Set where further neighbours or rules were left out. */
  readonly truncated?: true;
}

/** A page of rules. */
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

/** What every call takes. */
export interface CallOptions {
  /** Cancels the call: it throws `cancelled`. What was written until then stays. */
  readonly signal?: AbortSignal | undefined;
}

/** How a question is answered. */
export interface QueryOptions extends CallOptions {
  /** Domains to search; all when omitted. */
  readonly domains?: readonly string[] | null;
  /** Items to return, 1 to 1000; default 10. */
  readonly top_k?: number | null;
  /** Least score, 0 to 1; default 0. */
  readonly min_confidence?: number | null;
}

/** Which rules are listed, and which page of them. */
export interface RulesOptions extends CallOptions {
  /** Rules of these domains; all when omitted. */
  readonly domains?: readonly string[] | null;
  /** Rules that come from these nodes, by id. */
  readonly concept_ids?: readonly string[] | null;
  /** Rules of these categories, such as `security`. */
  readonly categories?: readonly string[] | null;
  /** Rules to return at most, 1 to 10,000; default 100. */
  readonly limit?: number | null;
  /** Rules to skip before the first; default 0. */
  readonly offset?: number | null;
}

/**
 * What an agent needs of the service, in process or over HTTP. Every method throws `SvcError` with the same codes on
 * both; `explore` returns null for an absent node. Null in the place of an optional value counts as absent.
 */
export interface KnowledgeClient {
  /**
   * Answers a question with ranked items, best first, and the rules that touch them. `query_id` of the answer is what
   * `feedback` takes. Throws `domain_not_found` for a domain that does not exist.
   */
  query(context: string, options?: QueryOptions): Promise<ClientQueryResult>;
  /** Returns a node with what lies around it, null for an absent one. `depth` is clamped to 1..3; default 1. */
  explore(nodeId: string, depth?: number | null, options?: CallOptions): Promise<ExploreResult | null>;
  /** Lists given and derived rules, page by page. Throws `domain_not_found` for a domain that does not exist. */
  rules(options?: RulesOptions): Promise<RulesResult>;
  /**
   * Records outcomes of a query: item id → `accepted`, `rejected` or `partial`; later queries rank by them. The same
   * item rated again by the same `source` replaces what it said. Throws `query_not_found`.
   */
  feedback(
    queryId: string,
    outcomes: Readonly<Record<string, string>>,
    source?: string | null,
    options?: CallOptions,
  ): Promise<void>;
  /** Returns which engines and models answer, and whether each is well (`status` is `ok` or `degraded`). */
  status(options?: CallOptions): Promise<Record<string, unknown>>;
  /** Lists the domains with their sizes. */
  domains(options?: CallOptions): Promise<ClientDomain[]>;
  /** Ingests a file of the machine the client runs on; a domain is made by its first file. Returns what came of it. */
  ingest(sourcePath: string, domain: string, options?: CallOptions): Promise<Record<string, unknown>>;
  /** Ends the client; every later call is refused with `conflict`. */
  close(): Promise<void>;
}
