import type { CheckpointInfo, Restored } from '../port.js';

/** Copies of the graph; they lie in the SQL store, never in Neo4j, so that a lost volume does not take them along. */
export interface GraphCheckpoints {
  /** Answers the id. */
  make(): Promise<string>;
  list(): Promise<CheckpointInfo[]>;
  /** All or nothing; `checkpoint_not_found` for an unknown id. */
  restore(id: string): Promise<Restored>;
  /** `checkpoint_not_found` for an unknown id. */
  remove(id: string): Promise<void>;
}
