import type { Generated } from 'kysely';

/** Tables of the learning group: posteriors by learner and context partition, what was observed, sessions. */
export interface LearningTables {
  learner_partition: {
    learner: string;
    /** `default`, or a hash of the context. */
    context_key: string;
    /** The context as canonical JSON. */
    context: string;
    /** Grows with every change of an arm; caches compare it. */
    version: number;
    /** Version of the last deletion: a cache from before it reads everything again. */
    epoch: number;
    /** Arms that have a row. */
    arms: number;
    /** Arms whose selections are counted. */
    counted: number;
    selections: number;
    baseline_selections: number;
    /** Observations ever made; neither reset nor retention lowers it. */
    observations: number;
  };
  learner_arm: {
    learner: string;
    context_key: string;
    arm_id: string;
    alpha: number;
    beta: number;
    pulls: number;
    total_reward: number;
    /** Milliseconds since the epoch. */
    updated_at: number;
    /** Partition version of the last change, and of the row's creation. */
    version: number;
    born: number;
  };
  learner_selection: { learner: string; context_key: string; arm_id: string; selections: number };
  observation: {
    id: Generated<number>;
    learner: string;
    context_key: string;
    arm_id: string;
    reward: number;
    outcome: string | null;
    at: number;
  };
  /** Keys of observations that were recorded; one that comes again changes nothing. */
  observation_key: { learner: string; key: string; at: number };
  learning_session: {
    session_id: string;
    learner: string;
    name: string;
    started_at: number;
    ended_at: number | null;
  };
  learning_session_event: {
    id: Generated<number>;
    session_id: string;
    /** `select` or `observe`. */
    kind: string;
    arm_id: string;
    /** JSON: what `session_end` returns of it. */
    payload: string;
  };
}
