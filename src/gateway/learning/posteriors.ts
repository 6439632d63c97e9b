import { credibleInterval } from '../../learning/learner/beta/beta-quantile.js';
import type { GatewayLearningSettings } from './learning-settings.js';

/** State of an arm, wherever its learner lives. */
export interface ArmRecord {
  readonly alpha: number;
  readonly beta: number;
  readonly pulls: number;
  /** Milliseconds since the epoch. */
  readonly lastUpdated: number;
}

export interface Posterior extends ArmRecord {
  readonly armId: string;
  readonly mean: number;
  readonly isSeed: boolean;
  readonly isUnderexplored: boolean;
  /** Equal-tailed, 95 %. */
  readonly credibleInterval: { readonly lower: number; readonly upper: number };
  readonly confidence: 'low' | 'medium' | 'high';
}

export function posteriorOf(
  armId: string,
  arm: ArmRecord,
  settings: Pick<GatewayLearningSettings, 'seed_arm_ids' | 'min_pulls'>,
): Posterior {
  return {
    armId,
    alpha: arm.alpha,
    beta: arm.beta,
    mean: arm.alpha / (arm.alpha + arm.beta),
    pulls: arm.pulls,
    lastUpdated: arm.lastUpdated,
    isSeed: settings.seed_arm_ids.includes(armId),
    isUnderexplored: arm.pulls < settings.min_pulls,
    credibleInterval: credibleInterval(arm.alpha, arm.beta),
    confidence: arm.pulls < 5 ? 'low' : arm.pulls < 20 ? 'medium' : 'high',
  };
}

/** Compares by mean, the highest first; ties by id. */
export function byMean(a: Posterior, b: Posterior): number {
  return b.mean - a.mean || (a.armId < b.armId ? -1 : 1);
}
