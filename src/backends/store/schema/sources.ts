/** Tables of the sources group, as types. */
export type SourcesTables = Record<never, never>;
