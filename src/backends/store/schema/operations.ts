/** Tables of the operations group, as types. */
export type OperationsTables = Record<never, never>;
