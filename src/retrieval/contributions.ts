import type { Contribution } from './collaborators.js';
import type { RankedItem } from './rank.js';
import { edgesOf } from './score.js';

/** The edges that brought an item up, with their share of its plain score; what feedback on the item will move. */
export function contributions({ plain, features }: RankedItem): Contribution[] {
  if (plain === null || features === null || plain.total <= 0) return [];
  const edges = edgesOf(features);
  const shares = new Map<string, number>();
  for (const { edge, part } of edges) {
    const together = edges.filter((other) => other.part === part).length;
    const share = plain.parts[part] / together / plain.total;
    if (share > 0) shares.set(edge, Math.min(1, (shares.get(edge) ?? 0) + share));
  }
  return [...shares]
    .map(([edge, share]) => ({ edge, share }))
    .sort((a, b) => b.share - a.share || (a.edge < b.edge ? -1 : 1));
}
