import type { Metric } from '../../src/backends/vector/port.js';

/** Random components in -1..1 that float32 holds exactly. */
export function point(random: () => number, dimension: number): number[] {
  return Array.from({ length: dimension }, () => Math.fround(random() * 2 - 1));
}

/** The score by its definition. */
export function referenceScore(metric: Metric, a: readonly number[], b: readonly number[]): number {
  const dot = a.reduce((sum, x, i) => sum + x * b[i]!, 0);
  if (metric === 'dotproduct') return dot;
  if (metric === 'euclidean') return 1 / (1 + Math.hypot(...a.map((x, i) => x - b[i]!)));
  return dot / Math.hypot(...a) / Math.hypot(...b);
}
