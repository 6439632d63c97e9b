import type { RankedAssertion } from './asserted.js';

/**
 * Returns whether a source's later assertion replaces its earlier one: one of higher confidence does, and of two of
 * equal confidence the later where it asserts something else (`same` false).
 */
export function isStronger(next: Sure, known: Sure, same: boolean): boolean {
  return next.confidence > known.confidence || (next.confidence === known.confidence && !same);
}

type Sure = Pick<RankedAssertion, 'confidence'>;

/**
 * Removes the earlier assertion of the same source from the `known` ones of one thing, where the next replaces it.
 * Returns false where the earlier one stays instead. With `overrides` confidence does not decide.
 */
export function resolveConflict<T extends RankedAssertion>(
  known: T[] | undefined,
  next: T,
  same: (next: T, earlier: T) => boolean,
  overrides = false,
): boolean {
  const mine = known?.findIndex((other) => other.source_id === next.source_id) ?? -1;
  if (known === undefined || mine < 0) return true;
  if (!overrides && !isStronger(next, known[mine]!, same(next, known[mine]!))) return false;
  known.splice(mine, 1);
  return true;
}
