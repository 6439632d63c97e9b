import type { Generated } from 'kysely';

export interface VectorIndexTable {
  id: Generated<number>;
  name: string;
  dimension: number;
  metric: 'cosine' | 'euclidean' | 'dotproduct';
  /** Grows with every committed write to the index. */
  version: number;
}

export interface VectorRowTable {
  /** Never used again, and new whenever the vector changes: a ref stands for one vector for ever. */
  ref: Generated<number>;
  index_id: number;
  id: string;
  partition: string;
  /** JSON object. */
  metadata: string;
  document: string | null;
  /** Euclidean length of the vector. */
  norm: number;
  /** Float32, little-endian, as given. */
  vector: Uint8Array;
}

/** Progress of a migration of vectors between engines. */
export interface VectorMigrationTable {
  /** `<source kind>-<destination kind>`. */
  id: string;
  /** JSON object: what the migration needs to resume. */
  state: string;
  updated_at: string;
}

/** Tables of the vector group, as types. */
export interface VectorTables {
  vector_index: VectorIndexTable;
  vector_row: VectorRowTable;
  vector_migration: VectorMigrationTable;
}
