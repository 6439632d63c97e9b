import { KernelMemory, type MemoryBlock } from '../../../core/kernels/kernel-memory.js';
import { UNKNOWN, type WordPiece } from '../wordpiece/wordpiece.js';
import { DIMENSION, type Table, vectorsOf } from './static-sums.js';

/** Pieces of a word that are summed: longer words are noise. */
const MOST_PIECES = 16;
/** Words whose vectors are kept, a kilobyte each: those of a corpus of ten thousand passages, so that a question makes few anew. */
const KEPT = 32_768;
/** Pages of 64 kB that those and the kernels' own areas take. */
const PAGES = 2 + (KEPT * DIMENSION * 4) / 65_536;
const ROW = DIMENSION * 4;
/** Words compared with at a time: what the kernels' query area holds. */
const TARGETS = 32;
const NO_RANGES = new Int32Array(0);

/** The unit vector of each word: the sum of its pieces' rows. */
export class WordVectors {
  private readonly rows: MemoryBlock | undefined;
  private readonly data: Float32Array;
  /** Word → number of its row; −1 for a word that the table does not know. */
  private readonly known = new Map<string, number>();
  private used = 0;

  constructor(
    private readonly table: Table,
    private readonly wordpiece: WordPiece,
  ) {
    this.rows = KernelMemory.open(PAGES)?.allocate(KEPT * DIMENSION);
    this.data = this.rows?.data ?? new Float32Array(KEPT * DIMENSION);
  }

  /**
   * Returns the cosine of each word with each of `to`: words.length × to.length, row by row. A word with a piece that the table does not know
   * is at 0 from all others.
   */
  cosines(words: readonly string[], to: readonly string[]): Float32Array {
    const cosines = new Float32Array(words.length * to.length);
    for (let from = 0; from < to.length; from += TARGETS) {
      const targets = this.targets(to.slice(from, from + TARGETS));
      const count = targets.length / DIMENSION;
      words.forEach((word, i) => {
        const row = this.rowOf(word);
        if (row === -1) return;
        const dots = this.dots(row, targets);
        for (let j = 0; j < count; j += 1) cosines[i * to.length + from + j] = dots[j]!;
      });
    }
    return cosines;
  }

  /** Returns the vectors of some words one after the other, zeros for one that is not known; the kernels see them as their query area. */
  private targets(words: readonly string[]): Float32Array {
    const targets = new Float32Array(words.length * DIMENSION);
    words.forEach((word, j) => {
      const row = this.rowOf(word);
      if (row !== -1) targets.set(this.vector(row), j * DIMENSION);
    });
    this.rows?.memory.query.data.set(targets);
    return targets;
  }

  /** Returns the products of a row with the targets, one after the other; more may follow. */
  private dots(row: number, targets: Float32Array): Float32Array {
    const count = targets.length / DIMENSION;
    if (this.rows !== undefined) {
      const { memory, pointer } = this.rows;
      memory.dots(pointer + row * ROW, memory.query.pointer, count, ROW, memory.results.pointer);
      return memory.results.data;
    }
    const vector = this.vector(row);
    return new Float32Array(count).map((_, j) =>
      vector.reduce((sum, value, at) => sum + value * targets[j * DIMENSION + at]!, 0),
    );
  }

  private vector(row: number): Float32Array {
    return this.data.subarray(row * DIMENSION, (row + 1) * DIMENSION);
  }

  private rowOf(word: string): number {
    const known = this.known.get(word);
    if (known !== undefined) return known;
    if (this.known.size === KEPT) {
      this.known.clear();
      this.used = 0;
    }
    const row = this.write(word, this.used) ? this.used++ : -1;
    this.known.set(word, row);
    return row;
  }

  /** Writes the vector of a word into a row; returns false where a piece is unknown. */
  private write(word: string, row: number): boolean {
    const { ids } = this.wordpiece.encode(word, MOST_PIECES);
    if (ids.length === 0 || ids.includes(UNKNOWN)) return false;
    this.vector(row).set(
      vectorsOf(this.table, { ids, ends: Int32Array.of(ids.length), counts: Int32Array.of(0), ranges: NO_RANGES }),
    );
    return true;
  }
}
