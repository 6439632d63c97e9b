import type { Generated } from 'kysely';

/** Tables of the concept index group: which index serves with which model, and whose vectors are behind. */
export interface ConceptIndexTables {
  /** One row. JSON of `ConceptIndexState`. */
  concept_index: { id: number; state: string };
  /** Nodes that were written while their vector in that index could not be: to be embedded again. */
  vector_pending: { seq: Generated<number>; index_name: string; node_id: string };
}
