import { type BaselineScore, probability } from './score.js';

interface Scored {
  readonly node: { readonly id: string };
  readonly score: number;
  readonly baseline: BaselineScore | null;
}

/**
 * Factors from which on ratings decide: what was accepted once has 1.2, twice 1.36; what was rejected once 0.9, twice 0.82. One rating of either may be a slip.
 */
const ACCEPTED = 1.3;
const REJECTED = 0.85;
/** Log odds that an item is raised by, at most. */
const FURTHEST = 5;
/** Log odds between items that stand above the same one. */
const STEP = 0.001;

/**
 * Returns the items with what was accepted for this very question above what was rejected for it, however little its words say: an accepted item below a rejected one
 * is raised to just above it. Others keep their scores. `ratings`: item → factor, above 1 for what was accepted.
 */
export function inRatedOrder<T extends Scored>(items: readonly T[], ratings: ReadonlyMap<string, number>): T[] {
  const rated = items.flatMap((item) => {
    const { node, baseline } = item;
    const factor = ratings.get(node.id);
    return factor === undefined || baseline === null ? [] : [{ item, factor, total: baseline.total }];
  });
  const rejected = rated.filter(({ factor }) => factor <= REJECTED);
  const accepted = rated.filter(({ factor }) => factor >= ACCEPTED).sort((a, b) => a.total - b.total);
  const raised = new Map<T, number>();
  let last = Number.NEGATIVE_INFINITY;
  for (const { item, total } of accepted) {
    const within = rejected.filter((other) => other.total - total < FURTHEST);
    const least = within.reduce((most, other) => Math.max(most, other.total + STEP), Number.NEGATIVE_INFINITY);
    if (total >= least) continue;
    // Of several that are raised, the better one stays the better one.
    last = Math.max(least, last + STEP);
    raised.set(item, last);
  }
  if (raised.size === 0) return [...items];
  return items.map((item) => {
    const total = raised.get(item);
    return total === undefined ? item : { ...item, score: probability(total), baseline: { ...item.baseline!, total } };
  });
}
