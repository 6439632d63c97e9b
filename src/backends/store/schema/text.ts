/** Tables of the text group, as types. */
export type TextTables = Record<never, never>;
