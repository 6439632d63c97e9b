import { SentenceQuery } from '../../backends/embedding/int8.js';
import type { GraphNode } from '../../core/model.js';
import { wordsOf } from '../../core/text/words.js';
import { coverage, type ItemTexts } from '../expand/item-words.js';
import type { AddressedClause } from './address.js';
import { bm25, countTerms } from './window-text.js';
import { meanCosine, type Turns } from './windows.js';

/** BM25's k1 + 1. */
const SATURATION = 2.2;
/** What a turn with all words of the question is worth on the scale of a cosine, without a model. */
const LEXICAL = 0.7;

/** The turns to score, with what is read about them once for the whole question. */
export interface Material {
  readonly chosen: readonly GraphNode[];
  readonly turns: Turns;
  readonly texts: ItemTexts;
  readonly vectors: ReadonlyMap<string, Float32Array>;
  /** Sentence vectors of a turn, as stored. */
  readonly sentences: ReadonlyMap<string, Uint8Array>;
}

/** How turns match a question or a part of it. */
export class Probe {
  private readonly windows: number[];
  private readonly average: number;
  private readonly best: number;
  private readonly attainable: number;
  private readonly sentences: SentenceQuery | null;

  constructor(
    private readonly asked: AddressedClause,
    private readonly material: Material,
  ) {
    const { chosen, turns, texts } = material;
    const { terms, vector } = asked;
    this.sentences = vector === null ? null : new SentenceQuery(vector);
    const counts = chosen.map((node) => countTerms(turns.around(node, -2, 1), terms, texts));
    this.average = counts.reduce((sum, one) => sum + one.length, 0) / Math.max(1, counts.length);
    this.windows = counts.map((one) => bm25(one, terms, this.average));
    this.best = Math.max(1e-9, ...this.windows);
    this.attainable = SATURATION * [...terms.values()].reduce((sum, idf) => sum + idf, 0);
  }

  /** Returns the cosine of the question with the mean of the turns from `first` to `last` relative to a turn. */
  around(node: GraphNode, first: number, last: number): number {
    const around = this.material.turns.around(node, first, last);
    if (this.asked.vector === null) return this.lexical(around);
    return meanCosine(
      this.asked.vector,
      around.flatMap((turn) => this.material.vectors.get(turn.id) ?? []),
    );
  }

  /** Returns the cosine of the question with the best sentence of a turn. */
  sentence(node: GraphNode): number {
    if (this.sentences === null) return this.lexical([node]);
    const blob = this.material.sentences.get(node.id);
    return (blob === undefined ? undefined : this.sentences.best(blob)) ?? this.around(node, 0, 0);
  }

  /**
   * Returns the cosine of the question with the best sentence of a turn from a character on; 0 where what stands before holds more words
   * of the question. Short sentences have one vector together.
   */
  behind(node: GraphNode, from: number): number {
    if (from === 0) return this.sentence(node);
    const { id, description, passage } = node;
    const held = this.held(description.slice(from));
    if (held < this.held(description.slice(0, from))) return 0;
    if (this.sentences === null) return LEXICAL * held;
    const spans = passage?.sentences ?? [];
    const scores = this.sentences.scores(this.material.sentences.get(id) ?? new Uint8Array());
    if (spans.length === 0 || scores.length !== spans.length) return this.sentence(node);
    return spans.reduce((best, [, end], i) => (end > from ? Math.max(best, scores[i]!) : best), 0);
  }

  /** Returns how much of the question's words a text holds. */
  private held(text: string): number {
    const words = wordsOf(text, this.material.texts.language);
    return coverage(this.asked.terms, new Set(words.map(({ stem }) => stem)));
  }

  /** Returns the BM25 over turns −2..+1 of the i-th turn as a share of the best window's. */
  window(i: number): number {
    return this.windows[i]! / this.best;
  }

  /** Returns it as a share of what the question could attain. */
  windowShare(i: number): number {
    return this.attainable > 0 ? Math.min(1, this.windows[i]! / this.attainable) : 0;
  }

  /** Returns the BM25 of a turn alone as such a share. */
  text(node: GraphNode): number {
    const { terms } = this.asked;
    const own = countTerms([node], terms, this.material.texts);
    return this.attainable > 0 ? Math.min(1, bm25(own, terms, this.average / 4) / this.attainable) : 0;
  }

  private lexical(nodes: readonly GraphNode[]): number {
    const stems = new Set(nodes.flatMap((turn) => [...this.material.texts.of(turn).all]));
    return LEXICAL * coverage(this.asked.terms, stems);
  }
}
