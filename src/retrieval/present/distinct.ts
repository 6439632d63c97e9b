import type { GraphNode } from '../../core/model.js';
import { ownName } from '../cells/own-name.js';
import { textKey } from '../expand/copies.js';
import { ItemTexts } from '../expand/item-words.js';
import { type Comparable, comparable, isContained, sayNearlySame } from '../expand/nearly-same.js';
import type { RankedItem } from '../score/rank.js';

/** Items compared with each other for nearly the same words, at most. */
const COMPARED = 100;

/** An item with those that say the same and stand behind it. */
export interface DistinctItem extends RankedItem {
  readonly duplicates: readonly GraphNode[];
}

/**
 * Returns the first `count` items, each text once. Equal and nearly equal texts take the best rank among them, but for
 * concepts and rows of different names; a concept whose description stands in a passage gives the passage its rank, for
 * the passage says more. `texts`: words of items that were read already.
 */
export function distinct(items: readonly RankedItem[], count: number, texts = new ItemTexts()): DistinctItem[] {
  const kept: Kept[] = [];
  const byNode = new Map<string, Kept>();
  const byText = new Map<string, Kept>();
  const passages = items.filter(({ node }) => node.kind === 'passage' && node.passage?.message === undefined);
  for (const item of items) {
    if (byNode.has(item.node.id)) continue;
    const whole = containing(item.node, passages);
    const best = whole ?? item;
    const name = ownName(best.node);
    const key = `${name}\0${textKey(best.node)}`;
    const known = byNode.get(best.node.id) ?? byText.get(key) ?? similar({ node: best.node, name }, kept, texts);
    if (known !== undefined) {
      known.duplicates.push(item.node);
      byNode.set(item.node.id, known);
      continue;
    }
    if (kept.length === count) {
      // What stands behind the last place may still be a duplicate of an item before it.
      continue;
    }
    const entry: Kept = {
      item: whole === undefined ? item : { ...whole, score: Math.max(item.score, whole.score) },
      duplicates: whole === undefined ? [] : [item.node],
      name,
      said: comparable(best.node, texts),
    };
    kept.push(entry);
    byNode.set(item.node.id, entry);
    byNode.set(best.node.id, entry);
    byText.set(key, entry);
  }
  return kept.map(({ item, duplicates }) => ({ ...item, duplicates }));
}

interface Kept {
  readonly item: RankedItem;
  readonly duplicates: GraphNode[];
  /** Of a concept or a row; else empty. */
  readonly name: string;
  readonly said: Comparable | null;
}

/** Returns the passage of the domain that holds a concept's description word for word. */
function containing(node: GraphNode, passages: readonly RankedItem[]): RankedItem | undefined {
  return passages.find((item) => isContained(node, item.node));
}

/** Returns an item before it of the same name whose words are nearly the same, numbers included. */
function similar(
  { node, name }: { readonly node: GraphNode; readonly name: string },
  kept: readonly Kept[],
  texts: ItemTexts,
): Kept | undefined {
  const said = comparable(node, texts);
  if (said === null) return undefined;
  return kept
    .slice(0, COMPARED)
    .find((entry) => entry.name === name && entry.said !== null && sayNearlySame(said, entry.said));
}
