/** Tables of the operations group: work that must finish after a crash, leases, the turns of sessions. */
export interface OperationsTables {
  outbox: {
    id: import('kysely').Generated<number>;
    /** `load`, `forget`, `follow` or `reindex`. */
    kind: string;
    /** JSON. */
    payload: string;
    created_at: string;
  };
  lease: { name: string; holder: string; expires_at: number };
  /** One row per message: its identity within the session decides whether it is new. */
  session_message: { source_id: string; identity: string; turn: number };
}
