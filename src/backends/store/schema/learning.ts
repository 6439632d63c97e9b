/** Tables of the learning group, as types. */
export type LearningTables = Record<never, never>;
