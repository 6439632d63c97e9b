/** 1 for a weight of 0 or more, -1 for one of 0 or less, 0 for any. */
export type Sign = 1 | -1 | 0;

/** Returns the probability of log odds. */
export function logistic(z: number): number {
  return 1 / (1 + Math.exp(-z));
}

/** Returns the standard deviation of each feature; 1 for one that never changes. */
export function deviations(rows: ReadonlyArray<{ readonly x: readonly number[] }>, size: number): number[] {
  return Array.from({ length: size }, (_, j) => {
    let sum = 0;
    let squares = 0;
    for (const { x } of rows) {
      sum += x[j]!;
      squares += x[j]! ** 2;
    }
    const variance = squares / rows.length - (sum / rows.length) ** 2;
    return variance > 1e-12 ? Math.sqrt(variance) : 1;
  });
}

/** Solves a positive definite system by Gaussian elimination with partial pivoting. */
export function solve(matrix: readonly Float64Array[], vector: Float64Array): Float64Array {
  const n = vector.length;
  const a = matrix.map((row) => Float64Array.from(row));
  const b = Float64Array.from(vector);
  for (let i = 0; i < n; i += 1) {
    let pivot = i;
    for (let r = i + 1; r < n; r += 1) if (Math.abs(a[r]![i]!) > Math.abs(a[pivot]![i]!)) pivot = r;
    [a[i], a[pivot]] = [a[pivot]!, a[i]!];
    [b[i], b[pivot]] = [b[pivot]!, b[i]!];
    for (let r = i + 1; r < n; r += 1) {
      const factor = a[r]![i]! / a[i]![i]!;
      if (factor === 0) continue;
      for (let c = i; c < n; c += 1) a[r]![c]! -= factor * a[i]![c]!;
      b[r]! -= factor * b[i]!;
    }
  }
  const x = new Float64Array(n);
  for (let i = n - 1; i >= 0; i -= 1) {
    let sum = b[i]!;
    for (let c = i + 1; c < n; c += 1) sum -= a[i]![c]! * x[c]!;
    x[i] = sum / a[i]![i]!;
  }
  return x;
}
