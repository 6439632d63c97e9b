import type { GraphNode } from '../../core/model.js';
import { IDENTIFYING_LENGTH } from './copies.js';
import type { ItemTexts, ItemWords } from './item-words.js';

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

/** Returns whether two items say nearly the same, in nearly the same words and with the same numbers. */
export function sayNearlySame(a: GraphNode, b: GraphNode, texts: ItemTexts): boolean {
  if (!canBeNearlySame(a) || !canBeNearlySame(b) || !mayBeNearlySame(a, b, texts)) return false;
  const [words, others] = [wordsOf(a, texts), wordsOf(b, texts)];
  return overlaps(words, others) && sameNumbers(words, others);
}

/** Returns whether a text is long enough to be told by its words; turns of conversations are told by who says them. */
function canBeNearlySame({ description, passage }: GraphNode): boolean {
  return description.length >= IDENTIFYING_LENGTH && passage?.message === undefined;
}

function wordsOf(node: GraphNode, texts: ItemTexts): ReadonlySet<string> {
  const norms = new Set<string>();
  for (const sentence of texts.of(node).sentences) for (const { norm } of sentence) norms.add(norm);
  return norms;
}

/** The words of a text in short: how many, and a bit for each, which several may have in common. Kept as long as the words are. */
interface Print {
  readonly size: number;
  readonly bits: Uint32Array;
}

const PRINT_WORDS = 8;
const printed = new WeakMap<ItemWords, Print>();

function printOf(node: GraphNode, texts: ItemTexts): Print {
  const words = texts.of(node);
  let print = printed.get(words);
  if (print === undefined) {
    const norms = wordsOf(node, texts);
    const bits = new Uint32Array(PRINT_WORDS);
    for (const norm of norms) {
      const bit = bitOf(norm);
      bits[bit >>> 5]! |= 1 << (bit & 31);
    }
    print = { size: norms.size, bits };
    printed.set(words, print);
  }
  return print;
}

/** Returns one of 256 bits, by length, first, middle and last letter. */
function bitOf(norm: string): number {
  const [first, middle, last] = [0, norm.length >> 1, norm.length - 1].map((at) => norm.charCodeAt(at)) as [
    number,
    number,
    number,
  ];
  return (norm.length * 7 + first * 31 + middle * 131 + last * 17) & 255;
}

/** Returns whether two texts may say nearly the same: false only where they do not. */
function mayBeNearlySame(a: GraphNode, b: GraphNode, texts: ItemTexts): boolean {
  const [one, other] = [printOf(a, texts), printOf(b, texts)];
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  if (small.size < NEARLY * large.size) return false;
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

/** Returns whether two sets of words have nearly all their words in common. */
function overlaps(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  if (small.size < NEARLY * large.size) return false;
  // Most pairs differ in their first words: with so many missing no share is reached.
  const bearable = bearableOf(small.size, large.size);
  let missing = 0;
  for (const word of small) {
    if (large.has(word)) continue;
    missing += 1;
    if (missing > bearable) return false;
  }
  const common = small.size - missing;
  return common / (a.size + b.size - common) >= NEARLY;
}

/** Returns whether two texts hold the same numbers: versions of a text that differ in a number say different things. */
function sameNumbers(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const numbers = (words: ReadonlySet<string>): string[] => [...words].filter((word) => /\p{N}/u.test(word));
  return numbers(a).every((word) => b.has(word)) && numbers(b).every((word) => a.has(word));
}
