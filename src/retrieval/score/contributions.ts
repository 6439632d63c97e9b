import type { RankedItem } from './rank.js';
import { chainEdges, edgesOf } from './score.js';

/** One edge's part in bringing an item up; the shares of an item sum to at most 1. */
export interface Contribution {
  /** Edge id, or the id of a link or mention (`link-ids.ts`). */
  readonly id: string;
  readonly share: number;
}

/**
 * Returns the edges that brought an item up, with their share of what the graph added to it; feedback on the item moves
 * them.
 */
export function contributions({ baseline, features }: RankedItem): Contribution[] {
  if (baseline === null || features === null || baseline.graph <= 0) return [];
  const { carried, graph, parts } = baseline;
  const edges = edgesOf(features);
  const shares = new Map<string, number>();
  const add = (edge: string, amount: number): void => {
    if (amount > 0) shares.set(edge, Math.min(1, (shares.get(edge) ?? 0) + amount / graph));
  };
  for (const { edge, part } of edges) add(edge, parts[part] / edges.filter((other) => other.part === part).length);
  if (carried !== undefined) for (const edge of chainEdges(carried.chain, features.forward)) add(edge, carried.gain);
  return [...shares].map(([id, share]) => ({ id, share })).sort((a, b) => b.share - a.share || (a.id < b.id ? -1 : 1));
}
