/** Tables of the querylog group, as types. */
export type QuerylogTables = Record<never, never>;
