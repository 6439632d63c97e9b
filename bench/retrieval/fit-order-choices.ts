import type { Choice } from '../../src/learning/ranker/fit-order.js';

/**
 * Strength of the Gaussian prior on standardised weights. The order's is firm: evidence of several kinds that agree shares the
 * weight, and data that the weights never saw is ordered better.
 */
export const ORDER_RIDGE = 10;
export const PROBABILITY_RIDGE = 1;
/** Questions without an answer are fewer here than a service meets. */
export const UNANSWERABLE_WEIGHT = 6;

/** Returns the choice that an order is fitted on: right candidates beside wrong ones; none where one side lacks. Those of unknown `gold` are left out. */
export function choiceOf(
  candidates: ReadonlyArray<{ readonly x: readonly number[]; readonly gold: readonly number[] | null }>,
): Choice[] {
  const known = candidates.filter(({ gold }) => gold !== null);
  const gold = known.map((one) => one.gold!.length > 0);
  return gold.includes(true) && gold.includes(false) ? [{ x: known.map(({ x }) => x), gold }] : [];
}
