import type { GraphNode } from '../../core/model.js';
import { ownName } from '../cells/own-name.js';
import { IDENTIFYING_LENGTH } from './copies.js';
import type { ItemTexts, ItemWords } from './item-words.js';

/** Share of common words from which on two texts say nearly the same. */
const NEARLY = 0.9;

/** Returns whether a passage of the concept's domain holds its description word for word, but for a row of another name. */
export function isContained(concept: GraphNode, passage: GraphNode): boolean {
  return (
    concept.kind === 'concept' &&
    concept.description.length >= IDENTIFYING_LENGTH / 2 &&
    passage.kind === 'passage' &&
    passage.passage?.message === undefined &&
    passage.domain === concept.domain &&
    passage.description.includes(concept.description) &&
    ['', ownName(concept)].includes(ownName(passage))
  );
}

/** A text as it is compared with others: how many words it has, a bit for each, which several may have in common, and the words. */
export interface Comparable {
  readonly size: number;
  readonly bits: Uint32Array;
  readonly words: () => ReadonlySet<string>;
}

const PRINT_WORDS = 8;
/** Kept as long as the words of the item are. */
const known = new WeakMap<ItemWords, Comparable>();

/** Returns a text that is long enough to be told by its words, else null; turns of conversations are told by who says them. */
export function comparable(node: GraphNode, texts: ItemTexts): Comparable | null {
  if (node.description.length < IDENTIFYING_LENGTH || node.passage?.message !== undefined) return null;
  const words = texts.of(node);
  let found = known.get(words);
  if (found === undefined) {
    const norms = normsOf(words);
    const bits = new Uint32Array(PRINT_WORDS);
    for (const norm of norms) {
      const bit = bitOf(norm);
      bits[bit >>> 5]! |= 1 << (bit & 31);
    }
    found = { size: norms.size, bits, words: () => normsOf(words) };
    known.set(words, found);
  }
  return found;
}

function normsOf({ sentences }: ItemWords): ReadonlySet<string> {
  const norms = new Set<string>();
  for (const sentence of sentences) for (const { norm } of sentence) norms.add(norm);
  return norms;
}

/** Returns whether two texts say nearly the same, in nearly the same words and with the same numbers. */
export function sayNearlySame(a: Comparable, b: Comparable): boolean {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  if (small.size < NEARLY * large.size || !mayShare(small, large)) return false;
  const [words, others] = [small.words(), large.words()];
  return overlaps(words, others) && sameNumbers(words, others);
}

/** Returns one of 256 bits, by length, first, middle and last letter. */
function bitOf(norm: string): number {
  const { length } = norm;
  const ends = norm.charCodeAt(0) * 31 + norm.charCodeAt(length - 1) * 17;
  return (length * 7 + ends + norm.charCodeAt(length >> 1) * 131) & 255;
}

/** Returns whether so few words of the one may be missing from the other: each that is leaves at most one bit. */
function mayShare(small: Comparable, large: Comparable): boolean {
  let missing = 0;
  for (let i = 0; i < PRINT_WORDS; i += 1) missing += bitsIn(small.bits[i]! & ~large.bits[i]!);
  return missing <= bearableOf(small.size, large.size);
}

function bitsIn(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Returns how many of the fewer words may be missing among the others, at most and one more. */
function bearableOf(small: number, large: number): number {
  return small - (NEARLY * (small + large)) / (1 + NEARLY) + 1;
}

/** Returns whether nearly all words of two sets are in both. */
function overlaps(small: ReadonlySet<string>, large: ReadonlySet<string>): boolean {
  // Most pairs differ in their first words: with so many missing no share is reached.
  const bearable = bearableOf(small.size, large.size);
  let missing = 0;
  for (const word of small) {
    if (large.has(word)) continue;
    missing += 1;
    if (missing > bearable) return false;
  }
  const common = small.size - missing;
  return common / (small.size + large.size - common) >= NEARLY;
}

/** Returns whether two texts hold the same numbers: versions of a text that differ in a number say different things. */
function sameNumbers(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const numbers = (words: ReadonlySet<string>): string[] => [...words].filter((word) => /\p{N}/u.test(word));
  return numbers(a).every((word) => b.has(word)) && numbers(b).every((word) => a.has(word));
}
