/** Tables of the graph group, as types. */
export type GraphTables = Record<never, never>;
