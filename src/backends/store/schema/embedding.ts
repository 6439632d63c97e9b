import type { Generated } from 'kysely';

/** Tables of the embedding group, as types. */
export interface EmbeddingTables {
  /** Vectors by content: a text that was embedded once is not embedded again. Safe to empty at any time. */
  embedding_cache: {
    /** Grows: the lowest are the oldest. */
    id: Generated<number>;
    model: string;
    /** SHA-256 in hex of the text and its spans. */
    key: string;
    /** Float32, little-endian. */
    vector: Uint8Array;
    /** The spans' vectors as `backends/embedding/int8.ts` packs them. */
    sentences: Uint8Array;
  };
  /** What is known of a model behind a server, so that a start does not need the server. */
  embedding_model: { name: string; dimension: number };
  /** Sentence vectors: one packed blob per passage and model, read for candidates only. */
  sentence_vector: {
    /** Node id of the passage. */
    id: string;
    model: string;
    /** As `backends/embedding/int8.ts` packs it. */
    data: Uint8Array;
  };
}
