/** Sentence vectors: one packed blob per passage and model, read for candidates only. */
export interface SentencesTables {
  sentence_vector: {
    /** Node id of the passage. */
    id: string;
    model: string;
    /** As `backends/embedding/int8.ts` packs it. */
    data: Uint8Array;
  };
}
