import { grown } from './adjacency.js';

/** Gives rows that are added and removed small dense numbers, by open addressing: no object per row. */
export class Slots {
  /** Row number by slot, any below 2^53; 0 where the slot is free. */
  refs = new Float64Array(1024);
  /** Slots handed out so far: the length that arrays beside this one need. */
  size = 0;
  private readonly free: number[] = [];
  private table = new Int32Array(4096).fill(-1);
  private filled = 0;

  /** Returns the slot of a row, -1 if it has none. */
  find(ref: number): number {
    const mask = this.table.length - 1;
    for (let at = mix(ref) & mask; ; at = (at + 1) & mask) {
      const slot = this.table[at]!;
      if (slot === -1) return -1;
      if (slot >= 0 && this.refs[slot] === ref) return slot;
    }
  }

  /** Returns the slot of a row, given one where it has none. */
  take(ref: number): number {
    const known = this.find(ref);
    if (known >= 0) return known;
    const slot = this.free.pop() ?? this.size;
    if (slot === this.size) {
      this.size += 1;
      if (this.size > this.refs.length) this.refs = grown(this.refs, this.refs.length * 2);
    }
    this.refs[slot] = ref;
    this.enter(ref, slot);
    return slot;
  }

  release(slot: number): void {
    const mask = this.table.length - 1;
    let at = mix(this.refs[slot]!) & mask;
    while (this.table[at] !== slot) at = (at + 1) & mask;
    // Searches run on over a place that was taken.
    this.table[at] = -2;
    this.refs[slot] = 0;
    this.free.push(slot);
  }

  private enter(ref: number, slot: number): void {
    if ((this.filled + 1) * 2 > this.table.length) this.rehash();
    else this.place(ref, slot);
  }

  private place(ref: number, slot: number): void {
    const mask = this.table.length - 1;
    let at = mix(ref) & mask;
    while (this.table[at]! !== -1) at = (at + 1) & mask;
    this.table[at] = slot;
    this.filled += 1;
  }

  private rehash(): void {
    let size = 4096;
    while (size < this.size * 4) size *= 2;
    this.table = new Int32Array(size).fill(-1);
    this.filled = 0;
    for (let slot = 0; slot < this.size; slot += 1) if (this.refs[slot]! !== 0) this.place(this.refs[slot]!, slot);
  }
}

function mix(ref: number): number {
  let h = Math.imul(ref ^ (ref >>> 16), 0x45d9f3b);
  h = Math.imul(h ^ (h >>> 16), 0x45d9f3b);
  return (h ^ (h >>> 16)) >>> 0;
}
