import type { Generated } from 'kysely';

/** Tables of the querylog group: questions and answers, what people reported of them, totals. */
export interface QuerylogTables {
  query_log: {
    id: Generated<number>;
    query_id: string;
    /** Milliseconds since the epoch. */
    at: number;
    text: string;
    /** Hash of the normalised text: equal questions share it. */
    question: string;
    /** JSON list. */
    domains: string;
    mode: string;
    model: string | null;
    /** The question's unit vector, int8. */
    vector: Uint8Array | null;
    /** JSON: `RecordedItem`s. */
    items: string;
    /** 1 once its close pairs were noted. */
    paired: number;
    /** Who asked; null for the service's own user. */
    owner: string | null;
    /** What the items were ranked by (`packFeatures`); null where nothing was kept of it. */
    features: Uint8Array | null;
    /** 1 once it got feedback, also where that was reset since. */
    rated: Generated<number>;
  };
  feedback: {
    query_id: string;
    item_id: string;
    /** Name of the rater. */
    source: string;
    outcome: string;
    at: number;
    question: string;
    domain: string;
    /** Ingest source of the item; empty where unknown. */
    source_id: string;
    /** How the item read that was rated (`textHash`); null where unknown. */
    text_hash: string | null;
  };
  /** Totals that neither retention nor reset lowers, and versions. */
  counter: { name: string; value: number };
}
