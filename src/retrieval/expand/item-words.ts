import type { GraphNode } from '../../core/model.js';
import { RecentByNode } from '../recent-by-node.js';
import { SentenceWords, type Word } from './words-near.js';

/** The words of one item, analysed on first use. */
export interface ItemWords {
  /** Stems of title and text. */
  readonly all: ReadonlySet<string>;
  /** Stems of the title or name. */
  readonly title: ReadonlySet<string>;
  /** Words of each sentence; one sentence where the item has none of its own. */
  readonly sentences: readonly (readonly Word[])[];
}

/** Analyses the text of items once per query, with the stems of the question's language. */
export class ItemTexts {
  private readonly known = new Map<string, ItemWords>();

  constructor(private readonly language = 'english') {}

  of(node: GraphNode): ItemWords {
    const known = this.known.get(node.id);
    if (known !== undefined) return known;
    const words = recentWords(node, this.language);
    this.known.set(node.id, words);
    return words;
  }
}

/** Words kept from question to question, about 10 MB each. */
const KEPT_WORDS = 100_000;

interface Analysed {
  readonly language: string;
  readonly words: ItemWords;
}

const analysed = new RecentByNode<Analysed>(KEPT_WORDS, ({ words: { title, sentences } }) =>
  sentences.reduce((sum, sentence) => sum + sentence.length, title.size),
);

function recentWords(node: GraphNode, language: string): ItemWords {
  const made = (): Analysed => ({ language, words: analyseItem(node, language) });
  return analysed.of(node, made, (kept) => kept.language === language).words;
}

function analyseItem(node: GraphNode, language: string): ItemWords {
  const spans = node.passage?.sentences ?? [];
  const whole = spans.length === 0 ? [[0, node.description.length] as const] : spans;
  const text = new SentenceWords(node.description, whole, language);
  const name = new SentenceWords(node.name, [[0, node.name.length]], language).of(0);
  const sentences = whole.map((_, i) => text.of(i));
  const title = new Set(name.map((word) => word.stem));
  const all = new Set(title);
  for (const sentence of sentences) for (const word of sentence) all.add(word.stem);
  return { all, title, sentences };
}

/** Returns the idf share of the terms that the stems hold: 0..1, and 0 without terms. */
export function coverage(terms: ReadonlyMap<string, number>, stems: ReadonlySet<string>): number {
  let total = 0;
  let found = 0;
  for (const [term, idf] of terms) {
    total += idf;
    if (stems.has(term)) found += idf;
  }
  return total === 0 ? 0 : found / total;
}

/** Returns the largest share of the terms that one sentence holds together with the title. */
export function sentenceCoverage(terms: ReadonlyMap<string, number>, words: ItemWords): number {
  let total = 0;
  for (const idf of terms.values()) total += idf;
  if (total === 0) return 0;
  let best = 0;
  for (const sentence of words.sentences) {
    const held = new Set<string>();
    for (const { stem } of sentence) if (terms.has(stem)) held.add(stem);
    let found = 0;
    for (const [term, idf] of terms) if (held.has(term) || words.title.has(term)) found += idf;
    best = Math.max(best, found / total);
  }
  return best;
}
