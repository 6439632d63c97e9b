import { forEachInSlices } from './async/slices.js';

/** Returns the items by key, keys in the order of their first item. */
export function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) push(groups, keyOf(item), item);
  return groups;
}

/** Groups like `groupBy`, and gives way to the event loop meanwhile. */
export async function groupInSlices<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Promise<Map<K, T[]>> {
  const groups = new Map<K, T[]>();
  await forEachInSlices(items, (item) => push(groups, keyOf(item), item));
  return groups;
}

/** Returns the items that pass a test, and the others. */
export function partition<T>(items: readonly T[], test: (item: T) => boolean): readonly [T[], T[]] {
  const passed: T[] = [];
  const others: T[] = [];
  for (const item of items) (test(item) ? passed : others).push(item);
  return [passed, others];
}

/**
 * Splits items into lists of at most `most`, in order; the lengths of a list's items come to at most `longest` together, but for an
 * item that is longer by itself, which has a list of its own.
 */
export function* boundedParts<T>(
  items: Iterable<T>,
  {
    most,
    longest,
    lengthOf,
  }: { readonly most: number; readonly longest: number; readonly lengthOf: (item: T) => number },
): Generator<readonly T[]> {
  let part: T[] = [];
  let length = 0;
  for (const item of items) {
    const own = lengthOf(item);
    if (part.length > 0 && (part.length === most || length + own > longest)) {
      yield part;
      part = [];
      length = 0;
    }
    part.push(item);
    length += own;
  }
  if (part.length > 0) yield part;
}

/** Adds a value to those of its key. */
export function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
