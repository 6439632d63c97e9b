import { byRank, type RankedAssertion } from '../manifest/asserted.js';
import type { Fold } from './fold.js';

/** An assertion of an edge or rule; `edit` is the JSON of a `Fold` where it is one of the source `edits`. */
export interface EditableAssertion extends RankedAssertion {
  readonly edit: string | null;
}

/** Orders assertions of one thing: those of `edits` first, then by rank. */
export function byEditAndRank(a: EditableAssertion, b: EditableAssertion): number {
  return Number(a.edit === null) - Number(b.edit === null) || byRank(a, b);
}

/**
 * Returns the assertion that is visible of those in `sorted` (by `byEditAndRank`); undefined where an edit hides them or
 * changes what nobody asserts. `laidOver` returns the assertion of an edit with the members that it leaves to the others.
 */
export function visibleOf<T extends EditableAssertion, P>(
  sorted: readonly T[],
  laidOver: (edit: T, parts: P, base: T) => T,
): T | undefined {
  const [top] = sorted;
  if (top === undefined || top.edit === null) return top;
  const fold = JSON.parse(top.edit) as Fold<P>;
  if (fold.is === 'removed') return undefined;
  if (fold.is === 'added') return top;
  const base = sorted.find((row) => row.edit === null || (JSON.parse(row.edit) as Fold<P>).is === 'added');
  return base === undefined ? undefined : laidOver(top, fold as P, base);
}
