import type { GraphNode } from '../../core/model.js';
import { type Word, wordsOf } from '../../core/text/words.js';
import { type Compound, compoundsIn } from '../seed/held-compounds.js';

/** The words of one item. */
export class ItemWords {
  /** Words of the title or name. */
  readonly title: readonly Word[];
  /** Words of each sentence; one sentence where the item has none of its own. */
  readonly sentences: readonly (readonly Word[])[];
  private stems: ReadonlySet<string> | undefined;
  private titled: ReadonlySet<string> | undefined;
  private folded: readonly string[] | undefined;

  constructor(
    { title, sentences }: Pick<ItemWords, 'title' | 'sentences'>,
    readonly language: string,
  ) {
    this.title = title;
    this.sentences = sentences;
  }

  /** Stems of title and text. */
  get all(): ReadonlySet<string> {
    this.stems ??= new Set([this.title, ...this.sentences].flatMap((words) => words.map(({ stem }) => stem)));
    return this.stems;
  }

  /** Words of title and text as they are folded, each once, without stop words. */
  get norms(): readonly string[] {
    this.folded ??= [
      ...new Set([this.title, ...this.sentences].flatMap((words) => words.flatMap((w) => (w.stop ? [] : [w.norm])))),
    ];
    return this.folded;
  }

  /** Stems of the title. */
  get inTitle(): ReadonlySet<string> {
    this.titled ??= new Set(this.title.map(({ stem }) => stem));
    return this.titled;
  }
}

function readNode({ name, description, passage }: GraphNode, language: string): ItemWords {
  const spans = passage?.sentences ?? [];
  // A list that grew keeps room for more; its copy is as long as it is.
  const sentences =
    spans.length === 0
      ? [wordsOf(description, language).slice()]
      : spans.map(([start, end]) => wordsOf(description.slice(start, end), language).slice());
  return new ItemWords({ title: wordsOf(name, language), sentences }, language);
}

/** Returns the words of an item with those of the question that it holds by compounds, each behind the sentence. */
function withCompounds(item: ItemWords, compounds: readonly Compound[]): ItemWords {
  const { all, language } = item;
  const some = compounds.filter(({ written }) => written.every((stems) => [...stems].some((stem) => all.has(stem))));
  if (some.length === 0) return item;
  const title = [...item.title, ...compoundsIn(some, item.title)];
  const sentences = item.sentences.map((words) => [...words, ...compoundsIn(some, words, item.title)]);
  return new ItemWords({ title, sentences }, language);
}

/** Words of nodes, kept as long as the node is: a question meets many items of those before it. About 2.4 bytes a character. */
const analysed = new WeakMap<GraphNode, ItemWords>();

/** Analyses the text of items, with the stems of the question's language. */
export class ItemTexts {
  private readonly known = new Map<string, ItemWords>();

  /** `compounds`: what stands for words of the question. */
  constructor(
    readonly language = 'english',
    private readonly compounds: readonly Compound[] = [],
  ) {}

  of(node: GraphNode): ItemWords {
    let words = this.known.get(node.id);
    if (words === undefined) {
      words = analysed.get(node);
      if (words?.language !== this.language) {
        words = readNode(node, this.language);
        analysed.set(node, words);
      }
      if (this.compounds.length > 0) words = withCompounds(words, this.compounds);
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

/** How far a word stands for a term of the question, 0..1. */
export interface Like {
  readonly stem: string;
  readonly share: number;
}

/** Folded word of an item → the terms that it stands for in part or in full. */
export type LikeWords = ReadonlyMap<string, readonly Like[]>;

const NO_LIKE_WORDS: LikeWords = new Map();

/** Idf shares of a question's terms, 0..1. */
export interface Shares {
  /** Of all terms, in title and text. */
  readonly all: number;
  /** Of the open terms, in the same. */
  readonly open: number;
  /** Of all terms, the largest that one sentence holds together with the title. */
  readonly sentence: number;
  /** The two shares before, a word that stands for a term in part counted in part. */
  readonly nearly: { readonly open: number; readonly sentence: number };
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
  private readonly like: ReadonlyMap<string, readonly Stands[]>;
  private readonly item: SharesByPlace;
  private readonly title: SharesByPlace;
  private readonly sentence: SharesByPlace;

  /** `open`: the terms outside names. `names`: those of names and numbers. `like`: words that stand for terms. */
  constructor(
    terms: ReadonlyMap<string, number>,
    open: ReadonlyMap<string, number>,
    { names = new Map(), like = NO_LIKE_WORDS }: { names?: ReadonlyMap<string, number>; like?: LikeWords } = {},
  ) {
    this.all = this.weights(terms);
    this.open = this.weights(open);
    this.names = this.weights(names).slice(0, MOST_NAMES);
    this.like = new Map([...like].map(([word, stands]) => [word, stands.flatMap((one) => this.placed(one))]));
    const { size } = this.places;
    [this.item, this.title, this.sentence] = [
      new SharesByPlace(size),
      new SharesByPlace(size),
      new SharesByPlace(size),
    ];
  }

  /** `covered`: terms that the item holds in other words, such as the month of its day. */
  of({ title, sentences }: ItemWords, covered: Iterable<string> = []): Shares {
    const { item, all, open } = this;
    this.title.clear();
    this.read(title, this.title);
    for (const stem of covered) this.title.hold(this.places.get(stem));
    item.copy(this.title);
    let [sentence, nearly] = [0, 0];
    for (const words of sentences) {
      this.sentence.copy(this.title);
      this.read(words, this.sentence);
      item.add(this.sentence);
      sentence = Math.max(sentence, share(all, this.sentence.exact));
      nearly = Math.max(nearly, share(all, this.sentence.near));
    }
    return {
      all: share(all, item.exact),
      open: share(open, item.exact),
      sentence,
      nearly: { open: share(open, item.near), sentence: nearly },
      names: this.names.reduce((bits, { place }, i) => (item.exact[place] === 1 ? bits | (1 << i) : bits), 0),
    };
  }

  /** Returns the idf share of the names and numbers that are not among these bits: of all terms, and of the names and numbers alone. */
  without(bits: number): { readonly ofTerms: number; readonly ofNames: number } {
    const missing = sum(this.names.filter((_, i) => (bits & (1 << i)) === 0));
    const of = (total: number): number => (total === 0 ? 0 : missing / total);
    return { ofTerms: of(sum(this.all)), ofNames: of(sum(this.names)) };
  }

  /** Notes how far words hold the terms. */
  private read(words: readonly Word[], { exact, near }: SharesByPlace): void {
    for (const { stem, norm } of words) {
      const at = this.places.get(stem);
      if (at !== undefined) exact[at] = near[at] = 1;
      for (const { place, share } of this.like.get(norm) ?? NONE) if (share > near[place]!) near[place] = share;
    }
  }

  private placed({ stem, share }: Like): Stands[] {
    const place = this.places.get(stem);
    return place === undefined ? [] : [{ place, share }];
  }

  private weights(terms: ReadonlyMap<string, number>): Weight[] {
    return [...terms].map(([term, idf]) => {
      const place = this.places.get(term) ?? this.places.size;
      this.places.set(term, place);
      return { place, idf };
    });
  }
}

/** How far the terms at each place are held. */
class SharesByPlace {
  /** 1 where the term itself is. */
  readonly exact: Uint8Array;
  /** 0..1, with words that stand for it. */
  readonly near: Float64Array;

  constructor(places: number) {
    this.exact = new Uint8Array(places);
    this.near = new Float64Array(places);
  }

  hold(place: number | undefined): void {
    if (place !== undefined) this.exact[place] = this.near[place] = 1;
  }

  clear(): void {
    this.exact.fill(0);
    this.near.fill(0);
  }

  copy({ exact, near }: SharesByPlace): void {
    this.exact.set(exact);
    this.near.set(near);
  }

  /** Holds what either of them holds. */
  add({ exact, near }: SharesByPlace): void {
    for (let place = 0; place < near.length; place += 1) {
      this.exact[place]! |= exact[place]!;
      this.near[place] = Math.max(this.near[place]!, near[place]!);
    }
  }
}

interface Weight {
  readonly place: number;
  readonly idf: number;
}

/** A word stands for the term at a place. */
interface Stands {
  readonly place: number;
  readonly share: number;
}

const NONE: readonly Stands[] = [];

function share(weights: readonly Weight[], held: Float64Array | Uint8Array): number {
  let total = 0;
  let found = 0;
  for (const { place, idf } of weights) {
    total += idf;
    found += idf * held[place]!;
  }
  return total === 0 ? 0 : found / total;
}

function sum(weights: readonly Weight[]): number {
  return weights.reduce((total, { idf }) => total + idf, 0);
}
