import type { PostingSink } from './runs.js';

/** Postings of a block: skipped together when their best possible score is too low. */
export const BLOCK = 64;

/**
 * The decoded posting list of a term in a domain, ascending by ref. It only grows; a posting that dies keeps its place
 * with tf 0. Lists are complete up to the ref `seen`.
 */
export class PostingList implements PostingSink {
  refs: Uint32Array;
  tfs: Uint8Array;
  lengths: Uint16Array;
  count = 0;
  /** Postings with tf 0. */
  dead = 0;
  seen = 0;
  /** Deaths applied so far: a position in the reader's list of deaths. */
  deaths = 0;
  /** Per block the greatest tf and the least length: together a bound that holds for any average length. */
  blockTf: Uint8Array;
  blockLength: Uint16Array;

  constructor() {
    // Most terms are in one or two documents: one buffer for all columns takes less memory than five.
    const buffer = new ArrayBuffer(17);
    this.refs = new Uint32Array(buffer, 0, 2);
    this.lengths = new Uint16Array(buffer, 8, 2);
    this.blockLength = new Uint16Array(buffer, 12, 1);
    this.tfs = new Uint8Array(buffer, 14, 2);
    this.blockTf = new Uint8Array(buffer, 16, 1);
  }

  /** Counts the documents that hold the term. */
  get df(): number {
    return this.count - this.dead;
  }

  get lastRef(): number {
    return this.count === 0 ? -1 : (this.refs[this.count - 1] as number);
  }

  get blocks(): number {
    return Math.ceil(this.count / BLOCK);
  }

  /** Bytes of memory, objects included. */
  get bytes(): number {
    return 800 + this.refs.length * 7 + this.blockTf.length * 3;
  }

  add(ref: number, tf: number, length: number): void {
    if (this.count === this.refs.length) this.grow();
    const at = this.count++;
    this.refs[at] = ref;
    this.tfs[at] = tf;
    this.lengths[at] = length;
    const block = Math.floor(at / BLOCK);
    const first = at % BLOCK === 0;
    if (first || tf > (this.blockTf[block] as number)) this.blockTf[block] = tf;
    if (first || length < (this.blockLength[block] as number)) this.blockLength[block] = length;
  }

  /** Marks the posting of a document as dead, if the list has one. */
  kill(ref: number): void {
    const at = this.find(ref, 0);
    if (at >= this.count || this.refs[at] !== ref || this.tfs[at] === 0) return;
    this.tfs[at] = 0;
    this.dead += 1;
  }

  /** Returns the first position at or after `from` whose ref is not smaller; galloping, for ascending callers. */
  find(ref: number, from: number): number {
    const { refs, count } = this;
    if (from >= count || (refs[from] as number) >= ref) return from;
    let low = from;
    let step = 1;
    let high = from + 1;
    while (high < count && (refs[high] as number) < ref) {
      low = high;
      step *= 2;
      high = low + step;
    }
    if (high > count) high = count;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((refs[middle] as number) < ref) low = middle;
      else high = middle;
    }
    return high;
  }

  /** Returns the tf of a document, 0 where the list has none or it was deleted. */
  tfAt(position: number, ref: number): number {
    return position < this.count && this.refs[position] === ref ? (this.tfs[position] as number) : 0;
  }

  private grow(): void {
    const room = Math.max(8, Math.ceil(this.count * 1.5));
    this.refs = enlarged(this.refs, new Uint32Array(room));
    this.tfs = enlarged(this.tfs, new Uint8Array(room));
    this.lengths = enlarged(this.lengths, new Uint16Array(room));
    const blocks = Math.ceil(room / BLOCK);
    this.blockTf = enlarged(this.blockTf, new Uint8Array(blocks));
    this.blockLength = enlarged(this.blockLength, new Uint16Array(blocks));
  }
}

function enlarged<T extends Uint32Array | Uint16Array | Uint8Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
