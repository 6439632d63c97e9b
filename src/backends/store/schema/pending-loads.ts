/** Sources that are written in several transactions: what a crash interrupts is finished from here. */
export interface PendingLoadTables {
  pending_load: {
    source_id: string;
    domain: string;
    /** Of the call that writes it; a later write of the source takes it away. */
    token: string;
    /** 1 once all pieces are noted: from then on the source will be as the pieces say. 2: it is being forgotten; 3: the domain is. */
    complete: number;
    created_at: string;
  };
  /** JSON of a manifest with a part of the assertions. */
  pending_piece: { token: string; part: number; body: string };
}

/** Records that an engine which follows the ledger refused. */
export interface RefusalTables {
  engine_refusal: {
    engine: string;
    kind: string;
    /** Identifies the record in its kind. */
    name: string;
    id: string;
    error: string;
    /** ISO 8601. */
    at: string;
  };
}
