import type { EmbeddingModel, TokenTable } from '../backends/embedding/port.js';
import type { GraphBackend } from '../backends/graph/port.js';
import type { TextIndex } from '../backends/text/port.js';
import type { VectorBackend } from '../backends/vector/port.js';
import type { Clock } from '../core/clock.js';
import type { QueryRecorder, RankingAdjustments } from '../learning/feedback/adjustments.js';
import type { Ranker } from './score/ranker-types.js';

/** Packed sentence vectors of passages, as `backends/embedding/int8.ts` packs them; ids without any are left out. */
export type SentenceReader = (ids: readonly string[]) => Promise<ReadonlyMap<string, Uint8Array>>;

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
  /**
   * Returns what chains compare rewritten questions by, and the words of a question with those of items. It is not the model of the index: a
   * question is rewritten a dozen times, and to encode each would take most of the time of an answer. Throws `unavailable` without its files.
   */
  readonly table: () => TokenTable;
  /** Returns whether the vocabulary of the built-in models holds an English word; without it no word counts as misspelt. */
  readonly vocabulary?: (word: string) => boolean;
  /**
   * Returns index and model where they may change while the service runs; called once per request, before anything
   * else.
   */
  readonly current?: () => Promise<Pick<RetrievalParts, 'indexName' | 'embedding' | 'sentences'>>;
  /** Runs a request so that what it asks the store again and again is read once; absent where a reading is no round trip. */
  readonly atOneMoment?: (<T>(work: () => Promise<T>) => Promise<T>) | undefined;
  readonly adjustments: RankingAdjustments;
  readonly querylog: QueryRecorder;
  readonly ranker: Ranker;
  /** Returns the time of the latest message of these domains (all without), ISO 8601; undefined where there is none. */
  readonly latestMessage?: (domains?: readonly string[]) => Promise<string | undefined>;
  /** What "yesterday" counts from where people still write. Default: the latest message alone tells. */
  readonly clock?: Clock;
}

/** For a service that does not learn. */
export const noAdjustments: RankingAdjustments = {
  version: async () => 0,
  edgeFactors: async () => new Map(),
  itemPriors: async () => new Map(),
  rankers: async () => new Map(),
};

/** For a service that keeps no query log. */
export const noQuerylog: QueryRecorder = { recordQuery: async () => undefined };
