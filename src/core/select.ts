/**
 * Returns the k-th largest of some numbers, 1 ≤ k ≤ length; O(n) on average (quickselect, Hoare 1961). Reorders
 * `values`.
 */
export function kthLargest(values: Float64Array, k: number): number {
  const wanted = k - 1;
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = median(values[low]!, values[(low + high) >>> 1]!, values[high]!);
    let left = low;
    let right = high;
    while (left <= right) {
      while (values[left]! > pivot) left += 1;
      while (values[right]! < pivot) right -= 1;
      if (left > right) break;
      const swapped = values[left]!;
      values[left] = values[right]!;
      values[right] = swapped;
      left += 1;
      right -= 1;
    }
    if (wanted <= right) high = right;
    else if (wanted >= left) low = left;
    else break;
  }
  return values[wanted]!;
}

function median(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

/** Returns the `limit` items with the smallest measure, without sorting more than a few at a time. */
export function smallest(items: Iterable<number>, limit: number, measure: (item: number) => number): number[] {
  let kept: number[] = [];
  let bound = Number.POSITIVE_INFINITY;
  const cut = (): void => {
    kept = kept.sort((a, b) => measure(a) - measure(b)).slice(0, limit);
    if (kept.length === limit && limit > 0) bound = measure(kept[limit - 1]!);
  };
  for (const item of items) {
    if (measure(item) > bound) continue;
    kept.push(item);
    if (kept.length > limit * 4 + 64) cut();
  }
  cut();
  return kept;
}
