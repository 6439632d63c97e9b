import type { Ranked } from './asserted.js';

/**
 * Whether a source's later assertion takes the place of its earlier one: a surer one does, and of two equally sure ones
 * the later where it says something else (`same` false).
 */
export function succeeds(next: Sure, known: Sure, same: boolean): boolean {
  return next.confidence > known.confidence || (next.confidence === known.confidence && !same);
}

type Sure = Pick<Ranked, 'confidence'>;

/**
 * Makes way for a source's assertion among those `held` of one thing: its earlier one is taken out. False where the
 * earlier one stays instead.
 */
export function makeWay<T extends Ranked>(
  held: T[] | undefined,
  next: T,
  same: (next: T, known: T) => boolean,
): boolean {
  const mine = held?.findIndex((other) => other.source_id === next.source_id) ?? -1;
  if (held === undefined || mine < 0) return true;
  if (!succeeds(next, held[mine]!, same(next, held[mine]!))) return false;
  held.splice(mine, 1);
  return true;
}
