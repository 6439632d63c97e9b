import { readableName } from '../present/content.js';
import type { Expanded } from './expand.js';

/** Only the best items count here: a rare name shared with a middling one is chance. */
const SOURCES = 6;

export interface Shared {
  /** (1 + max(−1, relative evidence of the source)) / passages that hold the entity; 0..1. */
  readonly value: number;
  /** The source. */
  readonly from: string;
  /** Name of the source. */
  readonly name: string;
  readonly entity: string;
  readonly key: string;
}

/**
 * Returns the items that share a rare entity, one that no item is about, with one of the best items: the best pair for
 * each.
 */
export function sharedEntities(expanded: Expanded): Map<string, Shared> {
  const { entities, shared, out } = expanded.expansion;
  const titles = new Set([
    ...out.map((link) => link.key),
    ...entities.filter((entity) => entity.title).map((entity) => entity.key),
  ]);
  const best = new Map<string, Shared>();
  const sources = [...expanded.sources].sort((a, b) => b.relative - a.relative).slice(0, SOURCES);
  const chosen = new Map(sources.map((source) => [source.node.id, source]));
  for (const { node, key, entity, documentFrequency } of entities) {
    const source = chosen.get(node);
    const passages = shared.get(entity);
    if (source === undefined || passages === undefined || titles.has(key)) continue;
    const value = (1 + Math.max(-1, source.relative)) / documentFrequency;
    for (const id of passages) {
      if (expanded.copies.areSame(id, node)) continue;
      const known = best.get(id);
      if (known === undefined || value > known.value) {
        best.set(id, { value, from: node, name: readableName(source.node), entity, key });
      }
    }
  }
  return best;
}
