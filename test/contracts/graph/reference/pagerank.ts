import type { PprOptions, PprSeed } from '../../../../src/backends/graph/port.js';
import { scaled } from '../../../../src/backends/graph/ppr.js';
import { bySample } from '../../../../src/backends/graph/sample.js';
import { PPR_DEFAULTS } from '../../../../src/backends/graph/weights.js';
import { defined } from '../../../../src/core/defined.js';
import { compare } from '../../../../src/ledger/manifest/asserted.js';
import type { Arcs } from './arcs.js';

/**
 * Personalized PageRank by power iteration, as its definition reads: x = (1 − d)·s + d·(P·x + s·(mass of nodes without
 * arcs)), P column-stochastic, s the normalised seed weights; scaled so that the best node has 1.
 */
export function powerIteration(arcs: Arcs, seeds: readonly PprSeed[], options: PprOptions = {}): Map<string, number> {
  const restart = new Map<string, number>();
  for (const { id, weight } of seeds) {
    if (arcs.has(id) && weight > 0) restart.set(id, (restart.get(id) ?? 0) + weight);
  }
  const total = sum(restart);
  if (total === 0) return new Map();
  for (const [id, weight] of restart) restart.set(id, weight / total);
  const { damping, tolerance, maxIterations, limit } = { ...PPR_DEFAULTS, ...defined(options) };
  let scores = new Map(restart);
  for (let i = 0; i < maxIterations; i += 1) {
    const next = step(arcs, scores, { damping, restart });
    const change = distance(scores, next);
    scores = next;
    if (change < tolerance) break;
  }
  return best(scores, limit);
}

function step(
  arcs: Arcs,
  scores: ReadonlyMap<string, number>,
  { damping, restart }: { damping: number; restart: ReadonlyMap<string, number> },
): Map<string, number> {
  const next = new Map<string, number>();
  let dangling = 0;
  for (const [id, score] of scores) {
    const neighbours = arcs.get(id)!;
    const degree = sum(neighbours);
    if (degree === 0) dangling += score;
    for (const [other, weight] of neighbours)
      next.set(other, (next.get(other) ?? 0) + (damping * score * weight) / degree);
  }
  for (const [id, share] of restart) next.set(id, (next.get(id) ?? 0) + (1 - damping + damping * dangling) * share);
  return next;
}

/** The best scores, scaled, ties by id; of equal ones at the limit those first in the sample order. */
function best(scores: ReadonlyMap<string, number>, limit: number): Map<string, number> {
  const highest = Math.max(...scores.values());
  const all = [...scores].map(([id, score]) => [id, scaled(score, highest)] as const).filter(([, score]) => score > 0);
  const kept = all.sort((a, b) => b[1] - a[1] || bySample(a[0], b[0])).slice(0, limit);
  return new Map(kept.sort((a, b) => b[1] - a[1] || compare(a[0], b[0])));
}

function sum(weights: ReadonlyMap<string, number>): number {
  let total = 0;
  for (const weight of weights.values()) total += weight;
  return total;
}

function distance(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let total = 0;
  for (const [id, score] of b) total += Math.abs(score - (a.get(id) ?? 0));
  for (const [id, score] of a) if (!b.has(id)) total += score;
  return total;
}
