import type { GraphNode } from '../../core/model.js';

/** Items that others may take the place of: the best ones, no further below the best, in log odds, than `WITHIN`. */
export const BEST = 5;
export const WITHIN = 3;
/** How far above the best of the versions before it an item stands; each further one adds half of what the one before added. */
const MARGIN = 0.3;

/** What a later item gains by taking the place of an earlier one. */
export interface Change {
  /** The item whose place it takes. */
  readonly of: GraphNode;
  /** Log odds, above 0. */
  readonly gain: number;
}

/** Versions of one thing up to an item. */
export interface Versions {
  /** The most that one of them is worth by itself, in log odds. */
  readonly best: number;
  /** How many changes led there. */
  readonly changes: number;
}

/** Returns the place of the next version of a thing: never two margins above the best of those before. */
export function above({ best, changes }: Versions): number {
  return best + MARGIN * (2 - 0.5 ** changes);
}
