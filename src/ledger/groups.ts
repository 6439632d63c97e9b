import { type Lane, slicer } from '../core/async/slices.js';

/** Adds a value to the set of its key. */
export function addTo<K, V>(map: Map<K, Set<V>>, key: K, value: V): void {
  const set = map.get(key);
  if (set === undefined) map.set(key, new Set([value]));
  else set.add(value);
}

/** Rows of a page. */
export const PAGE = 1000;

/**
 * Yields rows of things that have so many each, a page at a time: `few` reads those of several things that come to a page
 * together, `many` those of one that has more.
 */
export async function* rowPages<T, R>(
  things: readonly T[],
  sizeOf: (thing: T) => number,
  {
    few,
    many,
  }: {
    readonly few: (part: readonly T[]) => Promise<readonly R[]>;
    readonly many: (thing: T) => AsyncIterable<readonly R[]>;
  },
): AsyncGenerator<readonly R[]> {
  let part: T[] = [];
  let sum = 0;
  for (const thing of things) {
    const size = sizeOf(thing);
    if (size > PAGE) continue;
    if (sum + size > PAGE) {
      yield await few(part);
      part = [];
      sum = 0;
    }
    part.push(thing);
    sum += size;
  }
  if (part.length > 0) yield await few(part);
  for (const thing of things) if (sizeOf(thing) > PAGE) yield* many(thing);
}

/**
 * Yields pages of at most `size` rows that `read` returns in the order of their places: those after `first`, then those
 * after the last of the page before.
 */
export async function* pagesAfter<R, P = number>(
  first: P,
  read: (after: P) => Promise<{ readonly rows: readonly R[] }>,
  options: { readonly placeOf: (row: R) => P; readonly lane?: Lane; readonly size?: number },
): AsyncGenerator<readonly R[]> {
  const { placeOf, lane = 'urgent', size = PAGE } = options;
  const pause = slicer(lane);
  for (let after = first; ; await pause()) {
    const { rows } = await read(after);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < size) return;
    after = placeOf(last);
  }
}

/** Returns the numbers of rows. */
export function refsOf(rows: ReadonlyArray<{ readonly ref: number }>): number[] {
  return rows.map(({ ref }) => ref);
}
