import { SvcError } from '../../core/errors.js';

/** Rewards of the outcomes every learner knows. */
const OUTCOME_REWARDS: Readonly<Record<string, number>> = { accepted: 1, partial: 0.5, rejected: 0 };

export interface Rewarded {
  readonly reward: number;
  /** Set where the outcome is known nowhere and therefore counted 0. */
  readonly warning?: string;
}

/**
 * Returns the reward of an observation, 0..1. An explicit reward wins, 0 included; else the outcome maps, through
 * `custom` for names of one's own. Throws `invalid_input` with neither, and for a reward that is NaN or out of range.
 */
export function rewardOf(
  observation: { readonly reward?: number | undefined; readonly outcome?: string | undefined },
  custom: Readonly<Record<string, number>> = {},
): Rewarded {
  const { reward, outcome } = observation;
  if (reward !== undefined) {
    if (typeof reward !== 'number' || !(reward >= 0 && reward <= 1)) {
      throw new SvcError('invalid_input', 'reward must be a number from 0 to 1.', { member: 'reward' });
    }
    return { reward };
  }
  if (outcome === undefined || outcome === '') {
    throw new SvcError('invalid_input', 'outcome or reward is missing; send one of them.', { member: 'outcome' });
  }
  if (Object.hasOwn(custom, outcome)) return { reward: custom[outcome]! };
  if (Object.hasOwn(OUTCOME_REWARDS, outcome)) return { reward: OUTCOME_REWARDS[outcome]! };
  return {
    reward: 0,
    warning: `outcome ${JSON.stringify(outcome.slice(0, 60))} is not known and counts as reward 0; list it under learning.outcomes, or send reward.`,
  };
}

/** Throws `invalid_input` unless every custom outcome maps to 0..1. */
export function checkedOutcomes(outcomes: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  for (const [name, value] of Object.entries(outcomes)) {
    if (typeof value !== 'number' || !(value >= 0 && value <= 1)) {
      throw new SvcError('invalid_input', `learning.outcomes.${name} must be a number from 0 to 1.`);
    }
  }
  return outcomes;
}
