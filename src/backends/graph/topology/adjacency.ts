/**
 * Arcs of many slots in a few typed arrays. Each slot owns a stretch of the pool; one that outgrows its stretch moves to a
 * larger one, and stretches left behind are used again, so adding an arc costs a constant time on average and no object.
 */
export class Adjacency {
  targets: Int32Array;
  /** Confidence, frequency or flag of the arc. */
  values: Float32Array | Float64Array;
  /** Number of the row that the arc stands for, any below 2^53; empty where arcs need none. */
  refs: Float64Array;
  private starts = new Int32Array(0);
  private lengths = new Int32Array(0);
  private capacities = new Int32Array(0);
  private used = 0;
  /** Starts of free stretches by the logarithm of their size. */
  private readonly free: number[][] = [];

  /** With row numbers the values are confidences and kept exactly; without, they are small whole numbers. */
  constructor(private readonly withRefs: boolean) {
    this.targets = new Int32Array(0);
    this.values = withRefs ? new Float64Array(0) : new Float32Array(0);
    this.refs = new Float64Array(0);
  }

  start(slot: number): number {
    return slot < this.starts.length ? this.starts[slot]! : 0;
  }

  count(slot: number): number {
    return slot < this.lengths.length ? this.lengths[slot]! : 0;
  }

  end(slot: number): number {
    return this.start(slot) + this.count(slot);
  }

  add(slot: number, target: number, { value, ref = 0 }: { readonly value: number; readonly ref?: number }): void {
    this.reserveSlots(slot + 1);
    const length = this.lengths[slot]!;
    if (length === this.capacities[slot]!) this.move(slot, Math.max(4, length * 2));
    const at = this.starts[slot]! + length;
    this.targets[at] = target;
    this.values[at] = value;
    if (this.withRefs) this.refs[at] = ref;
    this.lengths[slot] = length + 1;
  }

  /** Returns the position of the arc to a target, -1 if there is none. */
  find(slot: number, target: number): number {
    const end = this.end(slot);
    for (let at = this.start(slot); at < end; at += 1) if (this.targets[at] === target) return at;
    return -1;
  }

  /** Returns the position of the arc with a row number, -1 if there is none. */
  findRef(slot: number, ref: number): number {
    const end = this.end(slot);
    for (let at = this.start(slot); at < end; at += 1) if (this.refs[at] === ref) return at;
    return -1;
  }

  /** Drops the arcs for which `drop` returns true; one pass, the order of the others stays. */
  remove(slot: number, drop: (at: number) => boolean): void {
    const start = this.start(slot);
    const end = this.end(slot);
    let kept = start;
    for (let at = start; at < end; at += 1) {
      if (drop(at)) continue;
      if (kept !== at) {
        this.targets[kept] = this.targets[at]!;
        this.values[kept] = this.values[at]!;
        if (this.withRefs) this.refs[kept] = this.refs[at]!;
      }
      kept += 1;
    }
    if (kept !== end) this.lengths[slot] = kept - start;
  }

  clear(slot: number): void {
    if (this.count(slot) > 0) this.lengths[slot] = 0;
  }

  /** Makes room for arcs that are known beforehand, exactly as many as they are: `counts` by slot. */
  lay(counts: Int32Array): void {
    let total = 0;
    for (const count of counts) total += count;
    this.reserveSlots(counts.length);
    this.reservePool(total);
    for (let slot = 0; slot < counts.length; slot += 1) {
      this.starts[slot] = this.used;
      this.capacities[slot] = counts[slot]!;
      this.used += counts[slot]!;
    }
  }

  private move(slot: number, wanted: number): void {
    const size = Math.ceil(Math.log2(wanted));
    const capacity = 2 ** size;
    const again = this.free[size]?.pop();
    let start = again ?? this.used;
    if (again === undefined) {
      this.reservePool(capacity);
      start = this.used;
      this.used += capacity;
    }
    const from = this.starts[slot]!;
    const end = from + this.lengths[slot]!;
    this.targets.copyWithin(start, from, end);
    this.values.copyWithin(start, from, end);
    if (this.withRefs) this.refs.copyWithin(start, from, end);
    const left = this.capacities[slot]!;
    if (left > 0) {
      const leftSize = Math.floor(Math.log2(left));
      this.free[leftSize] ??= [];
      this.free[leftSize]!.push(from);
    }
    this.starts[slot] = start;
    this.capacities[slot] = capacity;
  }

  private reservePool(more: number): void {
    const needed = this.used + more;
    if (needed <= this.targets.length) return;
    const size = Math.max(needed, Math.ceil(this.targets.length * 1.5), 1024);
    this.targets = grown(this.targets, size);
    this.values = grown(this.values, size);
    if (this.withRefs) this.refs = grown(this.refs, size);
  }

  private reserveSlots(count: number): void {
    if (count <= this.starts.length) return;
    const size = Math.max(count, Math.ceil(this.starts.length * 1.5), 1024);
    this.starts = grown(this.starts, size);
    this.lengths = grown(this.lengths, size);
    this.capacities = grown(this.capacities, size);
  }
}

export function grown<T extends Int32Array | Float32Array | Float64Array | Uint32Array | Uint8Array>(
  array: T,
  size: number,
): T {
  const larger = new (array.constructor as new (length: number) => T)(size);
  larger.set(array as never);
  return larger;
}
