import type { ItemFeatures, ItemKind } from '../feedback/adjustments.js';

/** Items whose features are kept: those that a person may look at. */
export const MOST_FEATURES = 50;
/** Steps of a value: it is kept within ±8, which no feature leaves. */
const STEP = 1 / 4096;
const KINDS: readonly ItemKind[] = ['document', 'message'];

/** What an item of the log was ranked by. */
export interface LoggedFeatures extends ItemFeatures {
  /** Its place in the answer. */
  readonly place: number;
}

/**
 * Packs what items were ranked by: for each of the first 50 that has features its place, its kind, its feature table, the number of
 * values and the values in steps of 1/4096, as 16-bit integers. Null where none has any.
 */
export function packFeatures(items: ReadonlyArray<{ readonly features?: ItemFeatures | null | undefined }>) {
  const numbers: number[] = [];
  items.slice(0, MOST_FEATURES).forEach(({ features }, place) => {
    if (features === null || features === undefined) return;
    numbers.push(place, KINDS.indexOf(features.kind), features.table, features.values.length);
    for (const value of features.values) numbers.push(Math.max(-32_768, Math.min(32_767, Math.round(value / STEP))));
  });
  return numbers.length === 0 ? null : new Uint8Array(Int16Array.from(numbers).buffer);
}

/** Returns what was packed; values of a kind that is not known are left out. */
export function unpackFeatures(packed: Uint8Array): LoggedFeatures[] {
  // A copy: bytes of a database row may begin at an odd address.
  const numbers = new Int16Array(Uint8Array.from(packed).buffer);
  const items: LoggedFeatures[] = [];
  for (let at = 0; at + 3 < numbers.length; ) {
    const [place, kind, table, count] = [numbers[at]!, KINDS[numbers[at + 1]!], numbers[at + 2]!, numbers[at + 3]!];
    const values = Array.from(numbers.subarray(at + 4, at + 4 + count), (step) => step * STEP);
    if (kind !== undefined) items.push({ place, kind, table, values });
    at += 4 + count;
  }
  return items;
}
