/** A tokenised text: vocabulary ids without special tokens, and where in the text (UTF-16) each token's word begins. */
export interface Tokens {
  readonly ids: Int32Array;
  /** Never falls from one token to the next. */
  readonly starts: Int32Array;
}

/** Returns the tokens [from, to) whose words begin within the characters [start, end). */
export function tokenRange(tokens: Tokens, span: readonly [number, number]): [number, number] {
  return [firstAt(tokens.starts, span[0]), firstAt(tokens.starts, span[1])];
}

/** Returns the index of the first start at or after `position`. */
function firstAt(starts: Int32Array, position: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (starts[middle]! < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Ids and starts as they come, in arrays that grow. */
export class TokenBuffer {
  length = 0;
  private ids: Int32Array;
  private starts: Int32Array;

  constructor(capacity: number) {
    const size = Math.min(capacity, 1 << 14) + 64;
    this.ids = new Int32Array(size);
    this.starts = new Int32Array(size);
  }

  push(ids: Int32Array, start: number): void {
    const end = this.length + ids.length;
    if (end > this.ids.length) this.grow(end);
    for (let i = 0; i < ids.length; i += 1) {
      this.ids[this.length + i] = ids[i]!;
      this.starts[this.length + i] = start;
    }
    this.length = end;
  }

  take(limit: number): Tokens {
    const length = Math.min(limit, this.length);
    return { ids: this.ids.subarray(0, length), starts: this.starts.subarray(0, length) };
  }

  private grow(least: number): void {
    const size = Math.max(least, this.ids.length * 2);
    const ids = new Int32Array(size);
    const starts = new Int32Array(size);
    ids.set(this.ids);
    starts.set(this.starts);
    this.ids = ids;
    this.starts = starts;
  }
}
