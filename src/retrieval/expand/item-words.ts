import type { GraphNode } from '../../core/model.js';
import { type Word, wordsOf } from '../../core/text/words.js';

/** The words of one item. */
export class ItemWords {
  /** Words of the title or name. */
  readonly title: readonly Word[];
  /** Words of each sentence; one sentence where the item has none of its own. */
  readonly sentences: readonly (readonly Word[])[];
  private stems: ReadonlySet<string> | undefined;
  private titled: ReadonlySet<string> | undefined;

  constructor(
    node: GraphNode,
    readonly language: string,
  ) {
    const { name, description, passage } = node;
    const spans = passage?.sentences ?? [];
    this.title = wordsOf(name, language);
    // A list that grew keeps room for more; its copy is as long as it is.
    this.sentences =
      spans.length === 0
        ? [wordsOf(description, language).slice()]
        : spans.map(([start, end]) => wordsOf(description.slice(start, end), language).slice());
  }

  /** Stems of title and text. */
  get all(): ReadonlySet<string> {
    this.stems ??= new Set([this.title, ...this.sentences].flatMap((words) => words.map(({ stem }) => stem)));
    return this.stems;
  }

  /** Stems of the title. */
  get inTitle(): ReadonlySet<string> {
    this.titled ??= new Set(this.title.map(({ stem }) => stem));
    return this.titled;
  }
}

/** Words of nodes, kept as long as the node is: a question meets many items of those before it. About 2.4 bytes a character. */
const analysed = new WeakMap<GraphNode, ItemWords>();

/** Analyses the text of items, with the stems of the question's language. */
export class ItemTexts {
  private readonly known = new Map<string, ItemWords>();

  constructor(readonly language = 'english') {}

  of(node: GraphNode): ItemWords {
    let words = this.known.get(node.id);
    if (words === undefined) {
      words = analysed.get(node);
      if (words?.language !== this.language) {
        words = new ItemWords(node, this.language);
        analysed.set(node, words);
      }
      this.known.set(node.id, words);
    }
    return words;
  }
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

/** Idf shares of a question's terms, 0..1. */
export interface Shares {
  /** Of all terms, in title and text. */
  readonly all: number;
  /** Of the open terms, in the same. */
  readonly open: number;
  /** Of all terms, the largest that one sentence holds together with the title. */
  readonly sentence: number;
  /** Which of the names and numbers are in title and text, as bits: see `without`. */
  readonly names: number;
}

/** Names and numbers of a question that are told apart. */
const MOST_NAMES = 31;

/** Tells how much of a question's terms items hold: one pass over the words of each. */
export class TermShares {
  private readonly places = new Map<string, number>();
  private readonly all: readonly Weight[];
  private readonly open: readonly Weight[];
  private readonly names: readonly Weight[];
  private readonly total: number;
  /** Place → the number of the last text that held the term. */
  private readonly inItem: Int32Array;
  private readonly inTitle: Int32Array;
  private readonly inSentence: Int32Array;
  private items = 0;
  private sentences = 0;

  /** `open`: the terms outside names. `names`: those of names and numbers. */
  constructor(
    terms: ReadonlyMap<string, number>,
    open: ReadonlyMap<string, number>,
    names: ReadonlyMap<string, number> = new Map(),
  ) {
    this.all = this.weights(terms);
    this.open = this.weights(open);
    this.names = this.weights(names).slice(0, MOST_NAMES);
    this.total = this.all.reduce((sum, { idf }) => sum + idf, 0);
    this.inItem = new Int32Array(this.places.size);
    this.inTitle = new Int32Array(this.places.size);
    this.inSentence = new Int32Array(this.places.size);
  }

  of({ title, sentences }: ItemWords): Shares {
    this.items += 1;
    const { items, inItem, inTitle, inSentence } = this;
    for (const { stem } of title) {
      const place = this.places.get(stem);
      if (place === undefined) continue;
      inTitle[place] = items;
      inItem[place] = items;
    }
    let sentence = 0;
    for (const words of sentences) {
      this.sentences += 1;
      for (const { stem } of words) {
        const place = this.places.get(stem);
        if (place === undefined) continue;
        inSentence[place] = this.sentences;
        inItem[place] = items;
      }
      const held = ({ place }: Weight) => inSentence[place] === this.sentences || inTitle[place] === items;
      sentence = Math.max(sentence, share(this.all, held));
    }
    const inside = ({ place }: Weight) => inItem[place] === items;
    const names = this.names.reduce((bits, weight, i) => (inside(weight) ? bits | (1 << i) : bits), 0);
    return { all: share(this.all, inside), open: share(this.open, inside), sentence, names };
  }

  /** Returns the idf share, of all terms, of the names and numbers that are not among these bits. */
  without(bits: number): number {
    const missing = this.names.reduce((sum, { idf }, i) => ((bits & (1 << i)) === 0 ? sum + idf : sum), 0);
    return this.total === 0 ? 0 : missing / this.total;
  }

  private weights(terms: ReadonlyMap<string, number>): Weight[] {
    return [...terms].map(([term, idf]) => {
      const place = this.places.get(term) ?? this.places.size;
      this.places.set(term, place);
      return { place, idf };
    });
  }
}

interface Weight {
  readonly place: number;
  readonly idf: number;
}

function share(weights: readonly Weight[], held: (weight: Weight) => boolean): number {
  let total = 0;
  let found = 0;
  for (const weight of weights) {
    total += weight.idf;
    if (held(weight)) found += weight.idf;
  }
  return total === 0 ? 0 : found / total;
}
