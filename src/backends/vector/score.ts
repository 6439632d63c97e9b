import type { Metric } from './port.js';

/**
 * Returns the dot product of `n` floats of `a` from 0 and of `b` from `offset`. For inner loops: positional, nothing
 * allocated, and independent sums that hide the latency of adds.
 */
export function dotAt(a: Float32Array, b: Float32Array, offset: number, n: number): number {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let i = 0;
  let j = offset;
  for (; i + 7 < n; i += 8, j += 8) {
    s0 += a[i]! * b[j]! + a[i + 4]! * b[j + 4]!;
    s1 += a[i + 1]! * b[j + 1]! + a[i + 5]! * b[j + 5]!;
    s2 += a[i + 2]! * b[j + 2]! + a[i + 6]! * b[j + 6]!;
    s3 += a[i + 3]! * b[j + 3]! + a[i + 7]! * b[j + 7]!;
  }
  for (; i < n; i += 1, j += 1) s0 += a[i]! * b[j]!;
  return s0 + s1 + (s2 + s3);
}

/** Returns the squared Euclidean distance, for inner loops. */
function squaredDistanceAt(a: Float32Array, b: Float32Array, offset: number, n: number): number {
  let s0 = 0;
  let s1 = 0;
  let i = 0;
  let j = offset;
  for (; i + 3 < n; i += 4, j += 4) {
    const d0 = a[i]! - b[j]!;
    const d1 = a[i + 1]! - b[j + 1]!;
    const d2 = a[i + 2]! - b[j + 2]!;
    const d3 = a[i + 3]! - b[j + 3]!;
    s0 += d0 * d0 + d1 * d1;
    s1 += d2 * d2 + d3 * d3;
  }
  for (; i < n; i += 1, j += 1) {
    const d = a[i]! - b[j]!;
    s0 += d * d;
  }
  return s0 + s1;
}

/**
 * Ranks a prepared query against a prepared vector: higher is better, faster than the score and of the same order.
 * Cosine and dot product: the dot product; Euclidean: minus the squared distance.
 */
export type Ranking = (query: Float32Array, data: Float32Array, offset: number, n: number) => number;

export function rankingOf(metric: Metric): Ranking {
  return metric === 'euclidean' ? (a, b, offset, n) => -squaredDistanceAt(a, b, offset, n) : dotAt;
}

/** Returns the public score of a rank: cosine similarity, dot product, or 1/(1+d). */
export function scoreOfRank(metric: Metric, rank: number): number {
  if (metric === 'euclidean') return 1 / (1 + Math.sqrt(-rank));
  if (metric === 'cosine') return Math.max(-1, Math.min(1, rank));
  return rank;
}

/** Returns the Euclidean length. */
export function normOf(vector: Float32Array): number {
  return Math.sqrt(dotAt(vector, vector, 0, vector.length));
}

/**
 * Returns the vector as it is compared: of length 1 for cosine (zero stays zero), unchanged otherwise. Always a copy.
 */
export function prepared(metric: Metric, vector: Float32Array, norm: number = normOf(vector)): Float32Array {
  const copy = Float32Array.from(vector);
  if (metric === 'cosine') scaleInPlace(copy, norm);
  return copy;
}

/** Divides by the norm unless it is zero. */
export function scaleInPlace(vector: Float32Array, norm: number): void {
  if (norm === 0) return;
  for (let i = 0; i < vector.length; i += 1) vector[i] = vector[i]! / norm;
}
