/** Tables of the interoception group, as types. */
export type InteroceptionTables = Record<never, never>;
