import { armTotals, selectionTotals, windowTotals } from '../../backends/store/learning/learning-log.js';
import { busiestPartitions, learnerTotals } from '../../backends/store/learning/learning-partitions.js';
import type { Store } from '../../backends/store/scope.js';
import { slicer } from '../../core/async/slices.js';
import { SvcError } from '../../core/errors.js';
import { seededRandom } from '../../core/random.js';
import type { ArmCache } from './arm-cache.js';
import { betaSampler } from './beta/beta-sample.js';
import type { ArmRates, LearnerMetrics } from './learner-types.js';

const DRAWS = 2000;
const CONTEXTS = 10;

/**
 * Returns aggregates of one learner over all contexts. A window limits the totals and the accuracy to the last so many
 * observations, nothing else. Throws `invalid_input` for a window that is no integer ≥ 1.
 */
export async function learnerMetrics(
  { store, cache }: { readonly store: Store; readonly cache: ArmCache },
  learner: string,
  window?: number,
): Promise<LearnerMetrics> {
  if (window !== undefined && (!Number.isSafeInteger(window) || window < 1)) {
    throw new SvcError('invalid_input', 'window must be an integer of at least 1.', { member: 'window' });
  }
  const arms = await armTotals(store.db, learner);
  const [totals] = await learnerTotals(store.db, learner);
  const chosen = await selectionTotals(store.db, learner);
  const selections = totals?.selections ?? 0;
  const sums = {
    total_pulls: arms.reduce((sum, arm) => sum + arm.pulls, 0),
    total_reward: arms.reduce((sum, arm) => sum + arm.total_reward, 0),
  };
  const { total_pulls, total_reward } = window === undefined ? sums : await windowTotals(store.db, learner, window);
  const rates: Array<[string, ArmRates]> = arms.map((arm) => {
    const taken = chosen.get(arm.arm_id) ?? 0;
    chosen.delete(arm.arm_id);
    return [arm.arm_id, ratesOf(arm, taken, selections)];
  });
  for (const [arm, taken] of chosen) rates.push([arm, ratesOf({ pulls: 0, total_reward: 0 }, taken, selections)]);
  return {
    learner,
    total_pulls,
    total_reward,
    accuracy: total_reward / Math.max(total_pulls, 1),
    arm_count: arms.length,
    explore_ratio: selections === 0 ? 0 : (totals?.baseline_selections ?? 0) / selections,
    selections,
    convergence: await convergence(store, cache, learner),
    arms: Object.fromEntries(rates),
    ...(window === undefined ? {} : { window }),
  };
}

function ratesOf(arm: { pulls: number; total_reward: number }, taken: number, selections: number): ArmRates {
  return {
    pulls: arm.pulls,
    selections: taken,
    selection_rate: selections === 0 ? 0 : taken / selections,
    reward_rate: arm.pulls === 0 ? 0 : arm.total_reward / arm.pulls,
  };
}

async function convergence(store: Store, cache: ArmCache, learner: string): Promise<number> {
  let sum = 0;
  let weight = 0;
  for (const key of await busiestPartitions(store.db, learner, CONTEXTS)) {
    const arms = [...(await cache.arms({ learner, key })).values()];
    if (arms.length === 0) continue;
    const pulls = 1 + arms.reduce((total, arm) => total + arm.pulls, 0);
    sum += pulls * (await leaderProbability(arms));
    weight += pulls;
  }
  return weight === 0 ? 0 : sum / weight;
}

/** Returns the probability that the arm with the highest mean is the best, by 2,000 joint draws with a fixed seed. */
async function leaderProbability(
  arms: ReadonlyArray<{ readonly alpha: number; readonly beta: number }>,
): Promise<number> {
  const mean = ({ alpha, beta }: { alpha: number; beta: number }): number => alpha / (alpha + beta);
  const leader = arms.reduce((best, arm) => (mean(arm) > mean(best) ? arm : best), arms[0]!);
  const sample = betaSampler(seededRandom(0x5eed));
  const pause = slicer();
  let wins = 0;
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const mine = sample(leader.alpha, leader.beta);
    if (arms.every((arm) => arm === leader || sample(arm.alpha, arm.beta) <= mine)) wins += 1;
    await pause();
  }
  return wins / DRAWS;
}
