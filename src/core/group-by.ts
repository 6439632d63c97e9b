import { forEachInSlices } from './async/slices.js';

/** Returns the items by key, keys in the order of their first item. */
export function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) add(groups, keyOf(item), item);
  return groups;
}

/** Groups like `groupBy`, and gives way to the event loop meanwhile. */
export async function groupInSlices<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Promise<Map<K, T[]>> {
  const groups = new Map<K, T[]>();
  await forEachInSlices(items, (item) => add(groups, keyOf(item), item));
  return groups;
}

function add<T, K>(groups: Map<K, T[]>, key: K, item: T): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [item]);
  else group.push(item);
}
