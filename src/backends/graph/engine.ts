import type { Json } from '../../core/model.js';
import type { Follower } from '../../ledger/follower.js';

/**
 * An engine for questions about the graph's shape. It speaks in the ledger's numbers (`ref`) of nodes, keys and edge
 * assertions; `LedgerGraph` translates ids into numbers before and names the answers afterwards, so an engine holds no
 * text for its own answers. Numbers that it does not know are passed over. Every engine passes the same contract suite.
 */
export interface GraphEngine {
  /** What status shows: `embedded`, `memory`, `neo4j`. */
  readonly kind: string;
  /** How queries are ranked. */
  readonly ppr: 'push' | 'gds' | 'local';
  /** Brings it up to date with the ledger; null for an engine that reads the changes itself and so is never behind. */
  readonly follower: Follower | null;

  /** Waits for the engine; throws `unavailable` where it does not answer in time. */
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  /** Throws `unavailable` with a reason where it cannot answer. */
  health(): Promise<void>;

  /** Returns one hop around nodes. */
  expand(nodes: readonly number[], options: HopOptions): Promise<Hop>;
  /** Returns nodes within `depth` hops (1..3) over typed edges. Absent node: null. */
  neighbourhood(node: number, options: NeighbourhoodOptions): Promise<Surroundings | null>;
  /** Computes scores as `PprResult` has them. `seeds`: known nodes in the order of ids, weights positive with sum 1. */
  personalizedPagerank(seeds: readonly NumberedSeed[], options: EnginePprOptions): Promise<NumberedScores>;
  /** Runs a query in the engine's own language (Cypher). `unsupported` where it has none. */
  query(statement: string, options?: EngineQueryOptions): Promise<Array<Record<string, Json>>>;
}

/** Factors on edges, by assertion number; 1 for those that are not in it. The same object as long as nothing changed. */
export type EdgeFactors = ReadonlyMap<number, number>;

export interface NeighbourhoodOptions {
  readonly depth: number;
  readonly limit: number;
}

export interface HopOptions {
  /** Numbers of the domains to stay in; null for all. Nodes of other domains are passed over. */
  readonly domains: ReadonlySet<number> | null;
  /** As `linkLimit` of `GraphBackend.expand`. */
  readonly limit: number;
  readonly factors: EdgeFactors;
  /** As `incoming` of `GraphBackend.expand`: without it `Hop.into` is empty. */
  readonly incoming: boolean;
}

/** One hop around nodes, in numbers; `Expansion` defines which links and edges are chosen. */
export interface Hop {
  /** Passage → nodes that its chosen links lead to. */
  readonly out: ReadonlyMap<number, ReadonlySet<number>>;
  /** Node → passages whose chosen links lead to it. */
  readonly into: ReadonlyMap<number, ReadonlySet<number>>;
  /** Key → all nodes that are about it now: for every key over which a link of `out` or `into` runs. At most 50 each. */
  readonly targets: ReadonlyMap<number, readonly number[]>;
  /** Distinct passages that link to a node: for the nodes themselves and every target of `out`. */
  readonly inlinks: ReadonlyMap<number, number>;
  /** Keys with a node that the passages among the nodes mention or are about. */
  readonly entities: ReadonlyArray<{
    readonly passage: number;
    readonly key: number;
    /** Node that stands for the key. */
    readonly node: number;
    /** Passages that mention the key or are about it. */
    readonly documentFrequency: number;
    /** True where the passage is about it. */
    readonly title: boolean;
  }>;
  /** Node that stands for a key of `entities` with a document frequency of 2..15 → those passages. */
  readonly shared: ReadonlyMap<number, readonly number[]>;
  /** Node → typed edges at it, heaviest first, then by `hash` of the other end: `limit`, and all equal to the last. */
  readonly edges: ReadonlyMap<number, readonly EdgeArc[]>;
}

export interface EdgeArc {
  /** Number of the visible assertion. */
  readonly ref: number;
  /** The node at the other end. */
  readonly other: number;
  /** confidence × factor. */
  readonly weight: number;
}

export interface Surroundings {
  /** Nodes by distance, the node itself first; together at most `limit`, the sample order decides which of too many. */
  readonly hops: ReadonlyArray<readonly number[]>;
  /** Assertion numbers of the edges between them that start within `depth - 1` hops. */
  readonly edges: readonly number[];
}

export interface NumberedSeed {
  readonly ref: number;
  readonly weight: number;
}

export interface EnginePprOptions {
  readonly domains: ReadonlySet<number> | null;
  readonly factors: EdgeFactors;
  readonly damping: number;
  /** 0 requests exact scores. */
  readonly epsilon: number;
  readonly tolerance: number;
  readonly maxIterations: number;
  readonly limit: number;
}

export interface NumberedScores {
  /** At most `limit`, highest first; divided by the highest and rounded to 12 decimals. */
  readonly scores: ReadonlyArray<readonly [ref: number, score: number]>;
  readonly method: 'push' | 'exact' | 'gds' | 'local';
  /** Ledger version that the answer used. */
  readonly version: number;
}

export interface EngineQueryOptions {
  readonly parameters?: Readonly<Record<string, Json>>;
  /** True for a statement that writes; refused (`invalid_input`) without it. A resync undoes such writes. */
  readonly write?: boolean;
}
