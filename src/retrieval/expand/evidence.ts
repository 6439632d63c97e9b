import { SentenceQuery } from '../../backends/embedding/int8.js';
import { forEachInSlices } from '../../core/async/slices.js';
import type { RetrievalParts } from '../collaborators.js';
import { lexicalScores } from '../seed/lexical-sentences.js';
import type { Question } from '../seed/question.js';
import type { Seeds } from '../seed/seed.js';

/** What an item itself has to do with the question. */
export interface Direct {
  /** -1..1; 0 without an embedding model. */
  readonly cosine: number;
  /** Best sentence; the cosine where an item has no sentences. */
  readonly sentence: number;
  /** BM25 / attainable, 0..1. */
  readonly text: number;
  /** 1/√(nodes about the name) where the question names it, else 0. */
  readonly named: number;
  /** The weighted sum of the last two. */
  readonly words: number;
  /** The weighted sum of all four. */
  readonly base: number;
}

/** Direct evidence of items, gathered in batches: one call to each port per batch. */
export class Evidence {
  private readonly items = new Map<string, Direct>();
  private readonly sentences = new Map<string, Float32Array>();
  private readonly packed = new Map<string, Uint8Array>();

  constructor(
    private readonly parts: RetrievalParts,
    private readonly question: Question,
    private readonly domains: readonly string[] | undefined,
  ) {}

  get(id: string): Direct | undefined {
    return this.items.get(id);
  }

  /** Returns the similarity of each sentence of an item with the question; empty where it has none. */
  sentencesOf(id: string): Float32Array {
    return this.sentences.get(id) ?? NONE;
  }

  /** Returns the packed vectors of an item's sentences; undefined where it has none. */
  packedOf(id: string): Uint8Array | undefined {
    return this.packed.get(id);
  }

  entries(): IterableIterator<[string, Direct]> {
    return this.items.entries();
  }

  /** Brings the evidence of these ids in; `known` spares what a search has answered already. */
  async gather(ids: Iterable<string>, known?: Pick<Seeds, 'cosines' | 'bm25'>): Promise<void> {
    const fresh = [...new Set(ids)].filter((id) => !this.items.has(id));
    if (fresh.length === 0) return;
    const [cosines, texts, scores] = await Promise.all([
      this.cosines(fresh, known?.cosines),
      this.texts(fresh, known?.bm25),
      this.question.vector === null ? this.lexical(fresh) : this.dense(fresh, this.question.vector),
    ]);
    for (const id of fresh) {
      const sentences = scores.get(id) ?? NONE;
      this.sentences.set(id, sentences);
      this.items.set(id, this.direct(id, { cosine: cosines.get(id) ?? 0, bm25: texts.get(id) ?? 0, sentences }));
    }
  }

  private direct(id: string, found: { cosine: number; bm25: number; sentences: Float32Array }): Direct {
    const weights = this.parts.ranker.direct;
    const { cosine } = found;
    const sentence = found.sentences.length === 0 ? cosine : Math.max(...found.sentences);
    const text = this.question.attainable > 0 ? Math.min(1, found.bm25 / this.question.attainable) : 0;
    const named = this.question.named.get(id) ?? 0;
    const words = weights.text * text + weights.named * named;
    const base = weights.cosine * cosine + weights.sentence * sentence + words;
    return { cosine, sentence, text, named, words, base };
  }

  private async cosines(ids: readonly string[], known?: ReadonlyMap<string, number>): Promise<Map<string, number>> {
    const { vector } = this.question;
    const cosines = new Map<string, number>();
    if (vector === null) return cosines;
    const missing = split(ids, known, cosines);
    if (missing.length === 0) return cosines;
    for (const [id, score] of await this.parts.vectors.score(this.parts.indexName, vector, missing))
      cosines.set(id, score);
    return cosines;
  }

  private async texts(ids: readonly string[], known?: ReadonlyMap<string, number>): Promise<Map<string, number>> {
    const texts = new Map<string, number>();
    const missing = split(ids, known, texts);
    if (missing.length === 0) return texts;
    for (const [id, score] of await this.parts.text.score(this.question.searched, missing, this.domains))
      texts.set(id, score);
    return texts;
  }

  private async dense(ids: readonly string[], vector: Float32Array): Promise<Map<string, Float32Array>> {
    const blobs = await this.parts.sentences(ids);
    const query = new SentenceQuery(vector);
    const scores = new Map<string, Float32Array>();
    await forEachInSlices(
      blobs,
      ([id, blob]) => {
        const cosines = query.scores(blob);
        scores.set(id, cosines);
        if (cosines.length > 0) this.packed.set(id, blob);
      },
      'urgent',
    );
    return scores;
  }

  private async lexical(ids: readonly string[]): Promise<Map<string, Float32Array>> {
    const nodes = await this.parts.graph.getNodes(ids);
    return lexicalScores(nodes, this.question);
  }
}

const NONE = new Float32Array(0);

/** Copies what is known; returns the ids that still need a look-up. */
function split(
  ids: readonly string[],
  known: ReadonlyMap<string, number> | undefined,
  into: Map<string, number>,
): readonly string[] {
  if (known === undefined) return ids;
  return ids.filter((id) => {
    const score = known.get(id);
    if (score === undefined) return true;
    into.set(id, score);
    return false;
  });
}
