import type { Generated } from 'kysely';

/** Concepts that were found to be one thing. */
export interface EntityMergeTables {
  /** The log: one row a merge; it counts until it is undone. */
  entity_merge: {
    ref: Generated<number>;
    /** Public id. */
    id: string;
    domain: number;
    from_id: string;
    into_id: string;
    from_name: string;
    into_name: string;
    method: string;
    score: number;
    created_at: string;
    undone_at: string | null;
  };
  /** Concepts that others stand for now, by node id: derived from the log and from which concepts are asserted. */
  merged_node: {
    id: string;
    domain: number;
    norm: string;
    key: string;
    /** The node that stands for it. */
    target: number;
  };
  /** What sources assert about these: rows of `concept` that are not seen. */
  merged_concept: {
    id: string;
    source: number;
    name: string;
    description: string;
    properties: string;
    confidence: number;
    version: number;
  };
}
