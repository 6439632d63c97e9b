import type { EmbeddingModel } from '../backends/embedding/port.js';
import type { GraphBackend } from '../backends/graph/port.js';
import type { TextIndex } from '../backends/text/port.js';
import type { VectorBackend } from '../backends/vector/port.js';
import type { Clock } from '../core/clock.js';
import type { Ranker } from './ranker.js';

/** Packed sentence vectors of passages, as `backends/embedding/int8.ts` packs them; ids without any are left out. */
export type SentenceReader = (ids: readonly string[]) => Promise<ReadonlyMap<string, Uint8Array>>;

/** What feedback has taught so far. */
export interface Adjustments {
  /** Changes whenever a factor does. */
  readonly version: number;
  /**
   * Edge id → factor on its weight, 1 where absent. Links between passages and mentions have ids too: see `link-ids.ts`.
   */
  readonly factors: ReadonlyMap<string, number>;
  /** Added to the plain score of these items; 0 where absent. */
  readonly priors: ReadonlyMap<string, number>;
}

/** Learning's side of ranking. */
export interface RankingAdjustments {
  /** For a query within these domains (all without); cheap when nothing changed. */
  current(domains?: readonly string[]): Promise<Adjustments>;
}

/** One edge's part in bringing an item up; the shares of an item sum to at most 1. */
export interface Contribution {
  readonly edge: string;
  readonly share: number;
}

/** One answered query, as feedback will need it. */
export interface QueryRecord {
  readonly query_id: string;
  readonly context: string;
  readonly domains: readonly string[];
  readonly mode: string;
  /** ISO 8601. */
  readonly created_at: string;
  readonly items: ReadonlyArray<{
    readonly id: string;
    readonly domain: string;
    /** 1-based. */
    readonly rank: number;
    readonly score: number;
    readonly contributions: readonly Contribution[];
  }>;
}

export interface QueryLog {
  record(query: QueryRecord): Promise<void>;
}

/** What retrieval works with; built by `compose.ts`. */
export interface RetrievalParts {
  readonly graph: GraphBackend;
  readonly text: TextIndex;
  readonly vectors: VectorBackend;
  /** Name of the concept index; it carries model and dimension. */
  readonly indexName: string;
  /** Null with `SVC_EMBEDDING=none`. */
  readonly embedding: EmbeddingModel | null;
  readonly sentences: SentenceReader;
  readonly adjustments: RankingAdjustments;
  readonly querylog: QueryLog;
  readonly ranker: Ranker;
  readonly clock: Clock;
}

/** For a service that does not learn. */
export const noAdjustments: RankingAdjustments = {
  current: async () => ({ version: 0, factors: new Map(), priors: new Map() }),
};
