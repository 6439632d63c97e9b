import { type Lane, slicer } from '../core/async/slices.js';

/** Adds a value to the set of its key. */
export function addTo<K, V>(map: Map<K, Set<V>>, key: K, value: V): void {
  const set = map.get(key);
  if (set === undefined) map.set(key, new Set([value]));
  else set.add(value);
}

/** Yields lists of items whose sizes come to at most `most` together; an item of a larger size is left out. */
export function* inParts<T>(items: readonly T[], sizeOf: (item: T) => number, most: number): Generator<readonly T[]> {
  let part: T[] = [];
  let sum = 0;
  for (const item of items) {
    const size = sizeOf(item);
    if (size > most) continue;
    if (sum + size > most) {
      yield part;
      part = [];
      sum = 0;
    }
    part.push(item);
    sum += size;
  }
  if (part.length > 0) yield part;
}

/** Rows of a page. */
export const PAGE = 1000;

/**
 * Yields pages of at most `size` rows that `read` returns in the order of a number, each after the last row's of the page
 * before.
 */
export async function* pagesAfter<R>(
  read: (after: number) => Promise<{ readonly rows: readonly R[] }>,
  numberOf: (row: R) => number,
  { lane = 'urgent', size = PAGE }: { readonly lane?: Lane; readonly size?: number } = {},
): AsyncGenerator<readonly R[]> {
  const pause = slicer(lane);
  for (let after = 0; ; await pause()) {
    const { rows } = await read(after);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < size) return;
    after = numberOf(last);
  }
}
