/** A text and the character spans of its sentences, to be embedded together. */
export interface SpannedText {
  readonly text: string;
  readonly spans: ReadonlyArray<readonly [number, number]>;
}

export interface SpannedEmbedding {
  readonly vector: Float32Array;
  /** One unit vector per span. */
  readonly spans: readonly Float32Array[];
}

/** Text to unit vectors. Throws `unavailable` when the model cannot answer. */
export interface EmbeddingModel {
  /** Part of the index name: a vector of another model is never mixed in. */
  readonly name: string;
  readonly dimension: number;
  /** True where a text is embedded faster than its vector is looked up in a store. */
  readonly runsInProcess?: boolean;
  /** Returns true where a short text would be embedded at once: the model is loaded, and no other text is under way. */
  idle?(): boolean;
  /** True where each text goes to a server, which may be down while this process serves. */
  readonly remote?: boolean;
  /** Returns unit-length float32 vectors, one per text, in order. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
  /** Returns each text's vector and its sentences' vectors. */
  embedSpanned(texts: readonly SpannedText[], signal?: AbortSignal): Promise<SpannedEmbedding[]>;
  health(): Promise<void>;
  close(): Promise<void>;
}

/** The token table: compares texts and words with each other, whatever model the stored vectors are of. */
export interface TokenTable extends Pick<EmbeddingModel, 'embed' | 'embedSpanned'> {
  /** Returns the cosine of each word with each of `to`: words.length × to.length, row by row. A word that the table does not know is at 0. */
  cosines(words: readonly string[], to: readonly string[]): Float32Array;
}
