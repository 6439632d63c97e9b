import type { GraphNode } from '../../core/model.js';
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

/** Words kept from question to question in each of two generations, about 10 MB; the older one goes when the recent one is full. */
const KEPT_WORDS = 100_000;

interface Generation {
  readonly items: Map<GraphNode, { readonly language: string; readonly words: ItemWords }>;
  words: number;
}

let recent: Generation = { items: new Map(), words: 0 };
let older: Generation = recent;

/** Returns the words of an item. A graph hands out the same node until it changes, so the node stands for its text. */
function recentWords(node: GraphNode, language: string): ItemWords {
  const kept = recent.items.get(node);
  if (kept?.language === language) return kept.words;
  const before = older.items.get(node);
  const words = before?.language === language ? before.words : analyseItem(node, language);
  const length = words.sentences.reduce((sum, sentence) => sum + sentence.length, words.title.size);
  if (recent.words + length > KEPT_WORDS) {
    older = recent;
    recent = { items: new Map(), words: 0 };
  }
  recent.items.set(node, { language, words });
  recent.words += length;
  return words;
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
    const stems = new Set(sentence.map((word) => word.stem));
    let found = 0;
    for (const [term, idf] of terms) if (stems.has(term) || words.title.has(term)) found += idf;
    best = Math.max(best, found / total);
  }
  return best;
}
