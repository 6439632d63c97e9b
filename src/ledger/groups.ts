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
