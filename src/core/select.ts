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
