/** Tables of the interoception group: effects of feedback. Factors are folds of the events in `feedback`. */
export interface InteroceptionTables {
  /** What one feedback reported of an edge: the mean target of the items that it brought up. */
  feedback_edge: {
    query_id: string;
    source: string;
    edge_id: string;
    target: number;
    at: number;
    domain: string;
  };
  edge_factor: FoldColumns & { edge_id: string; domain: string };
  item_prior: FoldColumns & {
    item_id: string;
    question: string;
    domain: string;
    source_id: string;
    /** The question as received, its model and int8 vector. */
    text: string;
    model: string | null;
    vector: Uint8Array | null;
    /** How the item read that was rated (`textHash`); null where unknown. */
    text_hash: string | null;
  };
  /** What feedback taught about the ranking of a domain's items, for any question. */
  domain_ranker: {
    domain: string;
    /** The version of the last feedback there, and the one that the weights were fitted to. */
    rated: number;
    fitted: number;
    /** Hash of the features and weights that the fit began from; null before the first fit. */
    basis: string | null;
    /** JSON: `DomainRanker`; null where there is too little feedback. */
    weights: string | null;
    /** Questions with both right and wrong items that the fit used. */
    questions: number;
    /** Milliseconds since the epoch; null before the first fit. */
    fitted_at: number | null;
  };
  /** Credit that one feedback gave, so that it can be taken back. JSON: item → arm → [alpha, beta]. */
  feedback_credit: { query_id: string; source: string; version: number; deltas: string };
  pair_buffer: {
    first_id: string;
    second_id: string;
    domain: string;
    sightings: number;
    /** Sum over the sightings. */
    similarity: number;
    promoted_at: number | null;
    updated_at: number;
  };
}

interface FoldColumns {
  /** The factor at the time `at` of its last event; it decays toward 1 from there. */
  factor: number;
  at: number;
  /** What events that are no longer kept had made of it, at the time `base_at`. */
  base: number;
  base_at: number;
  events: number;
  version: number;
}
