import type { GraphNode } from '../../core/model.js';
import type { RankedItem } from '../score/rank.js';

/** Below this many characters a text alone does not identify what it is from. */
const IDENTIFYING_LENGTH = 40;

/** The first `count` items, each text once: the best of those that say the same. */
export function distinct(items: readonly RankedItem[], count: number): RankedItem[] {
  const seenKeys = new Set<string>();
  const kept: RankedItem[] = [];
  for (const item of items) {
    if (kept.length === count) break;
    const key = textKey(item.node);
    if (seenKeys.has(key)) continue;
    seenKeys.add(key);
    kept.push(item);
  }
  return kept;
}

/** What a node says, without case and layout; short texts are told apart by name and domain. */
function textKey(node: GraphNode): string {
  const text = node.description.toLowerCase().replace(/\s+/gu, ' ').trim();
  return text.length >= IDENTIFYING_LENGTH
    ? text
    : JSON.stringify([node.domain, node.name, text, node.passage?.message?.turn ?? node.id]);
}
