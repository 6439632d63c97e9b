import type { ArmRow } from '../../../backends/store/learning/learning-arms.js';
import type { PartitionRef } from '../../../backends/store/learning/learning-partitions.js';
import type { LearnerConfig, Prior } from '../learner-config.js';

export interface ObservedArm {
  readonly arm_id: string;
  readonly reward: number;
  readonly outcome: string | null;
}

/** One call of a learner that is to be written. */
export interface LearnerWrite extends PartitionRef {
  readonly context: string;
  readonly config: LearnerConfig;
  readonly priorOf: (armId: string) => Prior;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** What was observed, in order; empty for a selection. */
  readonly observed: readonly ObservedArm[];
  /** Under it an observation counts once, however often it is sent. */
  readonly idempotencyKey?: string | undefined;
  /** What was selected; absent for an observation. */
  readonly selected?: { readonly arms: readonly string[]; readonly isBaseline: boolean };
}

export type WrittenArms = readonly ArmRow[];
