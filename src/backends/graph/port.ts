import type {
  ConceptAssertion,
  EdgeAssertion,
  GraphEdge,
  GraphNode,
  GraphRule,
  NodeKind,
  RuleAssertion,
} from '../../core/model.js';
import type { GraphEdits } from '../../ledger/edits/edits.js';
import type { Ledger } from '../../ledger/ledger.js';
import type { ConceptMerges } from '../../ledger/merge/merges.js';

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

export interface ExpandOptions {
  readonly domains?: readonly string[];
  /** Links and edges of a node, at most; default 50. */
  readonly linkLimit?: number;
  /** Whether links that arrive are listed too; default false, since ranking has no use for them. */
  readonly incoming?: boolean;
}

/** Everything one hop around some nodes that ranking needs; within the given domains only. */
export interface Expansion {
  /**
   * Links that leave the nodes: every mention that links to one of at most `linkLimit` targets a node (default 50;
   * rarest keys first, then in the sample order). The sample order is fnv1a(id), then id: fixed, and no id is favoured.
   * A key that more than 50 nodes are about makes no links. Ordered by from, to, sentence, token.
   */
  readonly out: readonly Link[];
  /** Links that arrive at the nodes, where `incoming` asks for them: from at most `linkLimit` passages each (in the sample order); ordered as `out`. */
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

/** A concept; or as `getNode` returns it. */
export type NodeInput = Nullable<Omit<ConceptAssertion, 'name'>> & {
  readonly domain: string;
  readonly name: string;
  readonly kind?: NodeKind;
};

/** A rule by its text; or as `getRules` and queries return it: `id` is `rule:<name>` then. */
export type RuleInput = Nullable<Omit<RuleAssertion, 'text'>> &
  Nullable<Partial<Omit<GraphRule, 'domain' | 'text'>>> & {
    readonly domain: string;
    readonly text: string;
    readonly relevance?: number | null;
  };

type Nullable<T> = { readonly [K in keyof T]: T[K] | null };

export interface Neighbourhood {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** Set where further nodes lie within the depth. */
  readonly truncated?: true;
}

/** What every graph does as the ledger does, where it is described. */
type Records = Omit<Ledger, 'store' | 'merges' | 'edits' | 'allActiveKeys' | 'hasPassages' | 'removedBy'>;

/**
 * The knowledge graph. Every implementation passes `test/contracts/graph.contract.ts`.
 * Methods that take a `scope` read and write inside that transaction of the SQL store.
 */
export interface GraphBackend
  extends Records,
    Partial<Pick<Ledger, 'store' | 'allActiveKeys' | 'hasPassages' | 'removedBy'>> {
  /** `memory`, `embedded` or `neo4j`: what status shows. */
  readonly kind: string;
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

  /** Asserts one concept under a `client` source of its own; what `getNode` returns of a concept may be given back. */
  addNode(node: NodeInput): Promise<GraphNode>;
  /** Asserts one edge under a `client` source of its own; what `getEdges` returns may be given back. */
  addEdge(edge: EdgeInput): Promise<void>;
  /** Asserts one rule under a `client` source of its own; what `getRules` returns of explicit rules may be given back. */
  addRule(rule: RuleInput): Promise<GraphRule>;

  /**
   * Returns typed edges and nodes within `depth` hops (1..3) of a node, the node itself first; at most `limit` nodes
   * (default 200), nearest first, within a hop by id (which of too many: the sample order of `expand`). Absent node:
   * both empty.
   */
  neighbourhood(id: string, depth: number, limit?: number): Promise<Neighbourhood>;
  expand(ids: readonly string[], options?: ExpandOptions): Promise<Expansion>;
  /** Computes a personalized PageRank. `seeds`: nodes with weights, or ids alone, which weigh the same. */
  personalizedPagerank(seeds: ReadonlyArray<PprSeed | string>, options?: PprOptions): Promise<PprResult>;
  /** Multiplies the weight of these edges from the next call on (feedback). Key: edge id. */
  setEdgeFactors(factors: ReadonlyMap<string, number>): void;
}
