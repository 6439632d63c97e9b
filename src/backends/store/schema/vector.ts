/** Tables of the vector group, as types. */
export type VectorTables = Record<never, never>;
