import type {
  DomainInfo,
  EdgeAssertion,
  GraphEdge,
  GraphNode,
  GraphRule,
  Manifest,
  SourceInfo,
} from '../../core/model.js';
import type { GraphEdits } from '../../ledger/edits/edits.js';
import type { GraphExport } from '../../ledger/manifest/exported.js';
import type { ConceptMerges } from '../../ledger/merge/merges.js';
import type {
  EdgeFilter,
  NodeFilter,
  RuleFilter,
  RulePage,
  SourceFilter,
  SourceKeyFilter,
  SourceKeyInfo,
} from '../../ledger/read/filters.js';
import type {
  CheckpointInfo,
  ForgetOptions,
  GraphDelta,
  GraphStatistics,
  KeyInfo,
  Mentions,
  NodeSource,
  PassageRecord,
  Restored,
} from '../../ledger/types.js';
import type { Store, WriteScope } from '../store/scope.js';

export type {
  EdgeFilter,
  NodeFilter,
  RuleFilter,
  RulePage,
  SourceFilter,
  SourceKeyFilter,
  SourceKeyInfo,
} from '../../ledger/read/filters.js';
export type {
  CheckpointInfo,
  ForgetOptions,
  GraphDelta,
  GraphStatistics,
  KeyInfo,
  Mentions,
  NodeSource,
  PassageRecord,
  Restored,
} from '../../ledger/types.js';

/** A link A → B: a sentence of A mentions what B is about. */
export interface Link {
  readonly from: string;
  readonly to: string;
  readonly key: string;
  /** Position of the mention in `from`. */
  readonly sentence: number;
  readonly token: number;
  readonly length: number;
  /** 1 / number of nodes about the key. */
  readonly weight: number;
}

/** An entity that a passage mentions or is about. */
export interface EntityRef {
  readonly node: string;
  readonly key: string;
  readonly entity: string;
  readonly documentFrequency: number;
  /** True where the passage is about it. */
  readonly title: boolean;
}

/** Everything one hop around some nodes that ranking needs; within the given domains only. */
export interface Expansion {
  /**
   * Links that leave the nodes: every mention that links to one of at most `linkLimit` targets a node (default 50;
   * rarest keys first, then in the sample order). The sample order is fnv1a(id), then id: fixed, and no id is favoured.
   * A key that more than 50 nodes are about makes no links. Ordered by from, to, sentence, token.
   */
  readonly out: readonly Link[];
  /**
   * Links that arrive at the nodes, from at most `linkLimit` passages per node (in the sample order). Ordered as `out`.
   */
  readonly in: readonly Link[];
  /** Distinct passages that link to a node: for the nodes themselves and for every target of `out`. */
  readonly inlinks: ReadonlyMap<string, number>;
  readonly entities: readonly EntityRef[];
  /** For entities with 2 ≤ documentFrequency ≤ 15 above: entity id → passages that mention it or are about it. */
  readonly shared: ReadonlyMap<string, readonly string[]>;
  /**
   * Typed edges at the nodes, both directions, at most `linkLimit` per node (highest weight first, then by the other
   * endpoint in the sample order); `weight` = confidence × edge factor. Each once, ordered by id.
   */
  readonly edges: ReadonlyArray<GraphEdge & { readonly weight: number }>;
}

export interface PprSeed {
  readonly id: string;
  readonly weight: number;
}

export interface PprOptions {
  readonly domains?: readonly string[];
  /** Probability of following an arc; default 0.5. */
  readonly damping?: number;
  /** Residual per unit of arc weight below which a node is not pushed; default 1e-5. 0 requests power iteration. */
  readonly epsilon?: number;
  /** For power iteration: L1 change at which it stops (default 1e-10) and its bound (default 200). */
  readonly tolerance?: number;
  readonly maxIterations?: number;
  /** At most this many scores, best first; default 200. */
  readonly limit?: number;
}

/**
 * Scores of a personalized PageRank: x = (1 − d)·s + d·(P·x + s·(mass of nodes without arcs)), where s is the seed weights
 * (positive, known, in the requested domains) normalised to 1 and P the column-stochastic walk on the undirected
 * weighted graph. Divided by the highest, rounded to 12 decimals, 0 left out; highest first, ties by id (which of equal
 * ones at the limit: the sample order of `expand`). No seed: no score.
 */
export interface PprResult {
  readonly scores: ReadonlyMap<string, number>;
  readonly method: 'push' | 'exact' | 'gds' | 'local';
  /** Graph version that the answer used. */
  readonly version: number;
}

/** An edge by names or ids of its endpoints; or as `getEdges` returns it, of the domain that its ids name. */
export type EdgeInput = Pick<EdgeAssertion, 'confidence' | 'properties'> &
  (
    | { readonly domain: string; readonly source: string; readonly target: string }
    | { readonly domain?: string; readonly id?: string; readonly source_id: string; readonly target_id: string }
  ) &
  ({ readonly relation: string } | { readonly relation_type: string });

export interface Neighbourhood {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** Set where further nodes lie within the depth. */
  readonly truncated?: true;
}

/**
 * The knowledge graph. Every implementation passes `test/contracts/graph.contract.ts`.
 * Methods that take a `scope` read and write inside that transaction of the SQL store.
 */
export interface GraphBackend extends GraphExport {
  /** `memory`, `embedded` or `neo4j`: what status shows. */
  readonly kind: string;
  /** The SQL store that it lies in. */
  readonly store?: Store;
  readonly ppr: 'push' | 'gds' | 'local';
  /** Concepts that are taken for one; null for a graph that keeps no such log. */
  readonly merges: ConceptMerges | null;
  /** What people changed by hand; null for a graph that keeps no such log. */
  readonly edits: GraphEdits | null;

  connect(): Promise<void>;
  disconnect(): Promise<void>;
  isConnected(): boolean;
  /** Throws `unavailable` with a reason when the graph cannot answer. */
  health(): Promise<void>;

  createDomain(name: string, description?: string): Promise<DomainInfo>;
  /** Returns a domain; null if absent. */
  getDomain(name: string): Promise<DomainInfo | null>;
  listDomains(): Promise<DomainInfo[]>;
  /** Removes the domain with all it holds; returns the ids of the removed nodes. `domain_not_found` if absent. */
  deleteDomain(name: string, scope?: WriteScope): Promise<string[]>;

  /** Asserts one concept under a `client` source of its own. */
  addNode(node: { domain: string; id?: string; name: string; description?: string }): Promise<GraphNode>;
  getNode(id: string): Promise<GraphNode | null>;
  /** Returns nodes in the order of `ids`; absent ones are left out. */
  getNodes(ids: readonly string[], scope?: WriteScope): Promise<GraphNode[]>;
  /** Returns nodes ordered by id. `pattern`: case-insensitive glob on the name; without wildcard, substring. */
  findNodes(options?: NodeFilter): Promise<GraphNode[]>;
  /** Asserts one edge under a `client` source of its own; what `getEdges` returns may be given back. */
  addEdge(edge: EdgeInput): Promise<void>;
  /** Returns the visible edges, ordered by id. */
  getEdges(filter?: EdgeFilter): Promise<GraphEdge[]>;
  addRule(rule: { domain: string; text: string; name?: string; category?: string }): Promise<GraphRule>;
  /** Returns explicit and derived rules, ordered by id. */
  getRules(filter?: RuleFilter): Promise<GraphRule[]>;
  /** Returns a page of what `getRules` returns, and how many these are, without reading them all again. */
  pageOfRules(filter: RuleFilter, page: { readonly offset: number; readonly limit: number }): Promise<RulePage>;
  /**
   * Returns these rules; one that contradicts visible rules of its domain, of whatever source, names at most 20 of them by
   * id under `metadata.contradicts`: an explicit rule those that say the same with opposite polarity, a derived rule those
   * of opposite edges (an edge without a rule by its own id).
   */
  markContradictions(rules: readonly GraphRule[]): Promise<GraphRule[]>;

  /**
   * Writes a manifest, all or nothing. The same source and content again changes nothing; other content replaces what
   * it asserted.
   */
  ingestManifest(manifest: Manifest, scope?: WriteScope): Promise<GraphDelta>;
  /** Writes many small sources together, all or none; returns one delta each, in order. */
  ingestManifests(manifests: readonly Manifest[], scope?: WriteScope): Promise<GraphDelta[]>;
  /** Undoes exactly what that source alone asserted. Unknown source: null. `rematched` as in a manifest. */
  forgetSource(sourceId: string, options?: ForgetOptions): Promise<GraphDelta | null>;
  listSources(filter?: SourceFilter, scope?: WriteScope): Promise<SourceInfo[]>;
  /** Returns a page of the keys of sources that start with a prefix, by domain and key. */
  sourceKeys(filter: SourceKeyFilter): Promise<SourceKeyInfo[]>;
  /** Returns the sources among these that exist. */
  existingSources(ids: readonly string[]): Promise<Set<string>>;
  /**
   * Returns the source of each passage, and of each concept the one whose assertion is visible. Bare entities and
   * unknown ids are left out. Counts nothing: fast for every query.
   */
  nodeSources(ids: readonly string[]): Promise<Map<string, NodeSource>>;
  /**
   * Returns the ids of the concepts that a source asserts, alone or with others, in order; none for an unknown source.
   */
  sourceConcepts(sourceId: string): Promise<string[]>;
  /**
   * Returns sentences about edges of a source that wait for an endpoint, as in `GraphDelta.warnings`; none for an
   * unknown source.
   */
  pendingEdgeWarnings(sourceId: string): Promise<string[]>;

  /**
   * Returns typed edges and nodes within `depth` hops (1..3) of a node, the node itself first; at most `limit` nodes
   * (default 200), nearest first, within a hop by id (which of too many: the sample order of `expand`). Absent node:
   * both empty.
   */
  neighbourhood(id: string, depth: number, limit?: number): Promise<Neighbourhood>;

  // What linking needs: after `ingestManifest`, `forgetSource` (and inside the same write) it reads key states, matches
  // the new passages and those touched by `GraphDelta.keys`, and hands the mentions over.
  /**
   * Replaces the mentions of these passages; entities and document frequencies change with them. Counts as part of the
   * same version step.
   */
  setMentions(domain: string, passages: Mentions, scope?: WriteScope): Promise<void>;
  lookupKeys(domains: readonly string[] | undefined, keys: readonly string[], scope?: WriteScope): Promise<KeyInfo[]>;
  /**
   * Returns the keys among these that are active in the domain (as `GraphDelta.keys` defines it): fast, also for many
   * thousand keys.
   */
  activeKeys(domain: string, keys: readonly string[], scope?: WriteScope): Promise<Set<string>>;
  /**
   * Returns false where the domain has no passage at all, so that nothing in it can be linked; for engines that know it
   * fast.
   */
  hasPassages?(domain: string, scope?: WriteScope): Promise<boolean>;
  /** Returns the passages that now mention one of the keys. */
  passagesMentioning(domain: string, keys: readonly string[], scope?: WriteScope): Promise<string[]>;
  passageRecords(ids: readonly string[], scope?: WriteScope): Promise<PassageRecord[]>;
  sourcePassages(sourceId: string, scope?: WriteScope): Promise<PassageRecord[]>;

  // What retrieval needs.
  expand(ids: readonly string[], options?: { domains?: readonly string[]; linkLimit?: number }): Promise<Expansion>;
  /** Computes a personalized PageRank. `seeds`: nodes with weights, or ids alone, which weigh the same. */
  personalizedPagerank(seeds: ReadonlyArray<PprSeed | string>, options?: PprOptions): Promise<PprResult>;
  /** Multiplies the weight of these edges from the next call on (feedback). Key: edge id. */
  setEdgeFactors(factors: ReadonlyMap<string, number>): void;
  /** Returns the statistics of these domains (all without). */
  statistics(domains?: readonly string[]): Promise<GraphStatistics>;

  /** Returns the version, which grows with every committed write. */
  version(): Promise<number>;

  /** Makes a consistent copy of the graph; returns its id. */
  checkpoint(): Promise<string>;
  listCheckpoints(): Promise<CheckpointInfo[]>;
  /**
   * Replaces the graph by a checkpoint, all or nothing; `checkpoint_not_found` for an unknown id. Returns what text and
   * vectors must follow.
   */
  restore(checkpointId: string, scope?: WriteScope): Promise<Restored>;
  deleteCheckpoint(checkpointId: string): Promise<void>;
}
