import type { GraphNode } from '../../core/model.js';
import { IDENTIFYING_LENGTH, textKey } from '../expand/copies.js';
import { ItemTexts } from '../expand/item-words.js';
import type { RankedItem } from '../score/rank.js';

/** Share of common words from which on two texts say nearly the same. */
const NEARLY = 0.9;
/** Items compared with each other for nearly the same words, at most. */
const COMPARED = 100;

/** An item with those that say the same and stand behind it. */
export interface DistinctItem extends RankedItem {
  readonly duplicates: readonly GraphNode[];
}

/**
 * Returns the first `count` items, each text once. Equal and nearly equal texts take the best rank among them; a concept
 * whose description stands in a passage gives the passage its rank, for the passage says more. `texts`: words of items
 * that were read already.
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
    const known = byNode.get(best.node.id) ?? byText.get(textKey(best.node)) ?? similar(best.node, kept, texts);
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
      words: undefined,
    };
    kept.push(entry);
    byNode.set(item.node.id, entry);
    byNode.set(best.node.id, entry);
    byText.set(textKey(best.node), entry);
  }
  return kept.map(({ item, duplicates }) => ({ ...item, duplicates }));
}

interface Kept {
  readonly item: RankedItem;
  readonly duplicates: GraphNode[];
  words: ReadonlySet<string> | undefined;
}

/** Returns the passage of the domain that holds a concept's description word for word. */
function containing(node: GraphNode, passages: readonly RankedItem[]): RankedItem | undefined {
  if (node.kind !== 'concept' || node.description.length < IDENTIFYING_LENGTH / 2) return undefined;
  return passages.find((item) => item.node.domain === node.domain && item.node.description.includes(node.description));
}

/** Returns an item before it whose words are nearly the same, numbers included. */
function similar(node: GraphNode, kept: readonly Kept[], texts: ItemTexts): Kept | undefined {
  if (node.description.length < IDENTIFYING_LENGTH || node.passage?.message !== undefined) return undefined;
  const words = wordsOf(node, texts);
  for (const entry of kept.slice(0, COMPARED)) {
    const other = entry.item.node;
    if (other.passage?.message !== undefined || other.description.length < IDENTIFYING_LENGTH) continue;
    entry.words ??= wordsOf(other, texts);
    if (overlaps(words, entry.words, NEARLY) && sameNumbers(words, entry.words)) return entry;
  }
  return undefined;
}

function wordsOf(node: GraphNode, texts: ItemTexts): ReadonlySet<string> {
  const norms = new Set<string>();
  for (const sentence of texts.of(node).sentences) for (const { norm } of sentence) norms.add(norm);
  return norms;
}

/** Returns whether two sets of words have at least this share of all their words in common. */
function overlaps(a: ReadonlySet<string>, b: ReadonlySet<string>, share: number): boolean {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  if (small.size < share * large.size) return false;
  // Most pairs differ in their first words: with so many missing no share is reached.
  const bearable = small.size - (share * (a.size + b.size)) / (1 + share);
  let missing = 0;
  for (const word of small) {
    if (large.has(word)) continue;
    missing += 1;
    if (missing > bearable + 1) return false;
  }
  const common = small.size - missing;
  return common / (a.size + b.size - common) >= share;
}

/** Returns whether two texts hold the same numbers: versions of a text that differ in a number say different things. */
function sameNumbers(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const numbers = (words: ReadonlySet<string>): string[] => [...words].filter((word) => /\p{N}/u.test(word));
  return numbers(a).every((word) => b.has(word)) && numbers(b).every((word) => a.has(word));
}
