import type { Neo4jTransaction } from '../../../neo4j-connection.js';
import type { Writing } from './rows.js';

/** Records of a slice. */
export const SLICE = 1000;
/** Passages of a slice that writes what they mention: each brings some twenty mentions. */
export const PASSAGES = 100;

/** A part of a step that can be done in a transaction of its own, and done again by a later step. */
export interface Slice {
  /** Roughly how many records it writes. */
  readonly weight: number;
  /** Reads what is to be written, while the server works on other slices; returns what writes it. */
  prepare(): Promise<PreparedSlice>;
  /** Returns two slices that together do the same; null where it is one record. */
  halves(): readonly [Slice, Slice] | null;
}

export interface PreparedSlice {
  /** Bytes of text that it sends, roughly; default none. */
  readonly bytes?: number;
  /** Writes, and notes the keys whose counts are to be made again. */
  write(tx: Neo4jTransaction, writing: Writing): Promise<void> | void;
}

/** Makes a slice over items that `prepare` makes into statements. */
function sliceOf<T>(items: readonly T[], prepare: (items: readonly T[]) => Promise<PreparedSlice>): Slice {
  return {
    weight: items.length,
    prepare: () => prepare(items),
    halves: () => {
      if (items.length < 2) return null;
      const middle = items.length >> 1;
      return [sliceOf(items.slice(0, middle), prepare), sliceOf(items.slice(middle), prepare)];
    },
  };
}

export function slicesOf<T>(
  items: Iterable<T>,
  size: number,
  prepare: (items: readonly T[]) => Promise<PreparedSlice>,
): Slice[] {
  const all = [...items];
  const slices: Slice[] = [];
  for (let start = 0; start < all.length; start += size) slices.push(sliceOf(all.slice(start, start + size), prepare));
  return slices;
}

/** Slices that are prepared before they are needed. */
const AHEAD = 4;

/** Prepares slices one after the other, some of them while the server works on others or commits. */
export class Ahead {
  private readonly begun = new Map<Slice, Promise<PreparedSlice>>();
  private next = 0;
  private end: Promise<unknown> = Promise.resolve();

  constructor(private readonly slices: readonly Slice[]) {
    this.begin();
  }

  take(slice: Slice): Promise<PreparedSlice> {
    const prepared = this.begun.get(slice) ?? slice.prepare();
    this.begun.delete(slice);
    this.begin();
    return prepared;
  }

  private begin(): void {
    for (; this.begun.size < AHEAD && this.next < this.slices.length; this.next += 1) {
      const slice = this.slices[this.next]!;
      const prepared = this.end.then(() => slice.prepare());
      this.end = prepared.catch(() => undefined);
      this.begun.set(slice, prepared);
    }
  }
}
