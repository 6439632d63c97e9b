import type { GraphNode } from '../../core/model.js';
import { IDENTIFYING_LENGTH } from './copies.js';
import type { ItemTexts } from './item-words.js';

/** Share of common words from which on two texts say nearly the same. */
const NEARLY = 0.9;

/** Returns whether a passage of the concept's domain holds its description word for word. */
export function isContained(concept: GraphNode, passage: GraphNode): boolean {
  return (
    concept.kind === 'concept' &&
    concept.description.length >= IDENTIFYING_LENGTH / 2 &&
    passage.kind === 'passage' &&
    passage.passage?.message === undefined &&
    passage.domain === concept.domain &&
    passage.description.includes(concept.description)
  );
}

/** Returns whether a text is long enough to be told by its words; turns of conversations are told by who says them. */
export function canBeNearlySame({ description, passage }: GraphNode): boolean {
  return description.length >= IDENTIFYING_LENGTH && passage?.message === undefined;
}

export function wordsOf(node: GraphNode, texts: ItemTexts): ReadonlySet<string> {
  const norms = new Set<string>();
  for (const sentence of texts.of(node).sentences) for (const { norm } of sentence) norms.add(norm);
  return norms;
}

/** Returns whether texts of these words say nearly the same. */
export function nearlySame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return overlaps(a, b, NEARLY) && sameNumbers(a, b);
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
