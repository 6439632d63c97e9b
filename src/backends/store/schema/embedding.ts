/** Tables of the embedding group, as types. */
export type EmbeddingTables = Record<never, never>;
