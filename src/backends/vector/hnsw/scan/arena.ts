import type { KernelMemory } from '../../../../core/kernels/kernel-memory.js';
import type { Metric } from '../../port.js';
import { scaleInPlace } from '../../score.js';
import { CHUNK } from '../layout.js';
import { CoarseRows } from './coarse-rows.js';
import type { Simd } from './simd.js';

/** Rows begin at multiples of as many floats: what the kernels take at a time. */
const LANES = 16;

/** A stretch of rows; `memory` and `pointer` say where the kernels reach it, if they do. */
export interface Chunk {
  readonly data: Float32Array;
  readonly memory: KernelMemory | undefined;
  readonly pointer: number;
}

/**
 * Vectors of one index in memory, as compared (of length 1 for cosine): float32 chunks by slot, and for each slot its
 * row's ref, partition code and whether it lives. Slots are appended with growing refs and never change, so a ref is
 * found by bisection and no string or object is kept a row.
 */
export class Arena {
  size = 0;
  live = 0;
  refs: Float64Array = new Float64Array(64);
  partitions: Int32Array = new Int32Array(64);
  alive: Uint8Array = new Uint8Array(64);
  /** Floats from one row to the next; those past the dimension are zero. */
  readonly stride: number;
  /** For a first look; not for distances. */
  readonly coarse: CoarseRows | undefined;
  private chunks: Chunk[] = [];
  private readonly codes = new Map<string, number>();
  private readonly counts: number[] = [];
  /** Compaction in progress: slots [0, write) are moved, [write, read) are dead, [read, size) are untouched. */
  private gap: { write: number; read: number } | undefined;

  constructor(
    readonly dimension: number,
    readonly metric: Metric,
    private readonly simd: Simd | undefined,
  ) {
    this.stride = Math.ceil(dimension / LANES) * LANES;
    this.coarse = simd === undefined || metric === 'euclidean' ? undefined : new CoarseRows(simd, dimension);
  }

  /**
   * Returns whether rows lie outside the memory that the kernels reach, which makes their scan several times slower.
   */
  get exceedsKernels(): boolean {
    return this.simd !== undefined && this.chunks.some((chunk) => chunk.memory === undefined);
  }

  get lastRef(): number {
    return this.size === 0 ? 0 : this.refs[this.size - 1]!;
  }

  /** Adds a row; a ref that is not greater than the last one is already here, or was deleted, and is ignored. */
  append(ref: number, vector: Float32Array, more: { norm: number; partition: string }): number | undefined {
    if (ref <= this.lastRef) return undefined;
    const slot = this.size;
    this.reserve(slot);
    const target = this.vectorAt(slot);
    target.set(vector);
    if (this.metric === 'cosine') scaleInPlace(target, more.norm);
    this.coarse?.set(slot, target);
    const code = this.codeOf(more.partition);
    this.refs[slot] = ref;
    this.partitions[slot] = code;
    this.alive[slot] = 1;
    this.counts[code] = this.counts[code]! + 1;
    this.size += 1;
    this.live += 1;
    return slot;
  }

  kill(slot: number): void {
    if (this.alive[slot] !== 1) return;
    this.alive[slot] = 0;
    this.live -= 1;
    const code = this.partitions[slot]!;
    this.counts[code] = this.counts[code]! - 1;
  }

  /** Returns the slot of a live row, or -1. */
  slotOf(ref: number): number {
    const slot = this.firstFrom(ref);
    return slot < this.size && this.refs[slot] === ref && this.alive[slot] === 1 ? slot : -1;
  }

  /**
   * Returns the first slot whose ref is greater than `ref`: no live slot before it is newer, none after it is older.
   */
  slotAfter(ref: number): number {
    return this.firstFrom(ref + 1);
  }

  /** Returns the first slot with at least this ref; during compaction the dead stretch in the middle is left out. */
  private firstFrom(ref: number): number {
    const { gap } = this;
    if (gap === undefined) return this.lowerBound(ref, 0, this.size);
    if (gap.write > 0 && ref <= this.refs[gap.write - 1]!) return this.lowerBound(ref, 0, gap.write);
    return this.lowerBound(ref, gap.read, this.size);
  }

  /** Returns the chunk that holds a slot. */
  chunkAt(slot: number): Chunk {
    return this.chunks[Math.floor(slot / CHUNK)]!;
  }

  /** Returns where in its chunk a slot's row starts, in floats. */
  offsetAt(slot: number): number {
    return (slot % CHUNK) * this.stride;
  }

  vectorAt(slot: number): Float32Array {
    const offset = this.offsetAt(slot);
    return this.chunkAt(slot).data.subarray(offset, offset + this.dimension);
  }

  /** Gives the memory back; the arena is empty afterwards. */
  dispose(): void {
    for (const chunk of this.chunks) this.release(chunk);
    this.chunks = [];
    this.coarse?.truncate(0);
    this.counts.fill(0);
    this.size = 0;
    this.live = 0;
  }

  /** Returns the code of a partition, or undefined if no row ever had it. */
  partitionCode(partition: string): number | undefined {
    return this.codes.get(partition);
  }

  /** Counts the live rows of a partition code. */
  partitionCount(code: number): number {
    return this.counts[code] ?? 0;
  }

  get wasted(): number {
    return this.size - this.live;
  }

  /** Moves up to `slots` rows down over dead ones; true when done. `moved` is called for every move. */
  compact(slots: number, moved: (from: number, to: number) => void): boolean {
    this.gap ??= { write: 0, read: 0 };
    const { gap } = this;
    const end = Math.min(this.size, gap.read + slots);
    for (; gap.read < end; gap.read += 1) {
      if (this.alive[gap.read] !== 1) continue;
      if (gap.read !== gap.write) {
        this.move(gap.read, gap.write);
        moved(gap.read, gap.write);
      }
      gap.write += 1;
    }
    if (gap.read < this.size) return false;
    this.size = gap.write;
    for (const chunk of this.chunks.splice(Math.ceil(this.size / CHUNK))) this.release(chunk);
    this.coarse?.truncate(Math.ceil(this.size / CHUNK));
    this.gap = undefined;
    return true;
  }

  private move(from: number, to: number): void {
    this.vectorAt(to).set(this.vectorAt(from));
    this.coarse?.move(from, to);
    this.refs[to] = this.refs[from]!;
    this.partitions[to] = this.partitions[from]!;
    this.alive[to] = 1;
    this.alive[from] = 0;
  }

  private codeOf(partition: string): number {
    let code = this.codes.get(partition);
    if (code === undefined) {
      code = this.counts.length;
      this.codes.set(partition, code);
      this.counts.push(0);
    }
    return code;
  }

  private lowerBound(ref: number, from: number, to: number): number {
    let low = from;
    let high = to;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.refs[middle]! < ref) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private reserve(slot: number): void {
    if (slot >= this.refs.length) {
      const length = this.refs.length * 2;
      this.refs = grown(this.refs, new Float64Array(length));
      this.partitions = grown(this.partitions, new Int32Array(length));
      this.alive = grown(this.alive, new Uint8Array(length));
    }
    const number = Math.floor(slot / CHUNK);
    const old = this.chunks[number];
    const have = (old?.data.length ?? 0) / this.stride;
    if (slot % CHUNK < have) return;
    // The first chunk grows by doubling, so that a small index stays small; later ones come whole.
    const slots = number > 0 ? CHUNK : Math.min(CHUNK, Math.max(64, have * 2));
    const chunk = this.allocate(slots * this.stride);
    if (old !== undefined) {
      chunk.data.set(old.data);
      this.release(old);
    }
    this.chunks[number] = chunk;
  }

  private allocate(floats: number): Chunk {
    return this.simd?.allocate(floats) ?? { data: new Float32Array(floats), memory: undefined, pointer: 0 };
  }

  private release({ memory, pointer, data }: Chunk): void {
    memory?.release({ memory, pointer, data });
  }
}

function grown<T extends Float64Array | Int32Array | Uint8Array>(old: T, larger: T): T {
  larger.set(old as never);
  return larger;
}
