import { SvcError } from '../../../../core/errors.js';
import type { CheckpointInfo, Restored } from '../../port.js';

/** Copies of the graph; they lie in the SQL store, never in Neo4j, so that a lost volume does not take them along. */
export interface GraphCheckpoints {
  /** Answers the id. */
  make(): Promise<string>;
  list(): Promise<CheckpointInfo[]>;
  /** All or nothing; `checkpoint_not_found` for an unknown id. */
  restore(id: string): Promise<Restored>;
  /** Goes on with what a process that died left half done; called when the graph connects. */
  resume(): Promise<void>;
  /** The same without waiting; false while another process is at it. */
  resumeNow(): Promise<boolean>;
  /** `checkpoint_not_found` for an unknown id. */
  remove(id: string): Promise<void>;
}

/** What readers and writers hear while a large checkpoint is put back in steps. */
export function beingRestored(): SvcError {
  return new SvcError('unavailable', 'The graph is being restored from a checkpoint; try again shortly.', undefined, {
    retriable: true,
    retryAfter: 5,
  });
}
