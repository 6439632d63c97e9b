import type { MemoryBlock } from '../../../../core/kernels/kernel-memory.js';
import { CHUNK } from '../layout.js';
import type { Simd } from './simd.js';

/** Components that the kernel takes at a time. */
const LANES = 32;
const LEVELS = 127;

/**
 * The rows of an arena once more, one byte per component and one scale per row: a quarter of the memory to read, so a
 * scan over them is several times faster. For each row a bound on the error is kept, so that what a scan leaves out is
 * certain.
 */
export class CoarseRows {
  /** Bytes from one row to the next. */
  readonly stride: number;
  /** A row is about its bytes times this. */
  scales = new Float32Array(64);
  /** Length of the difference between a row and what its bytes say, rounding of 32-bit sums included. */
  errors = new Float32Array(64);
  private chunks: Array<{ readonly block: MemoryBlock; readonly bytes: Int8Array } | undefined> = [];

  constructor(
    private readonly simd: Simd,
    private readonly dimension: number,
  ) {
    this.stride = Math.ceil(dimension / LANES) * LANES;
  }

  /** Returns where a slot's row lies; undefined where its chunk found no room. */
  rowsAt(slot: number): Pick<MemoryBlock, 'memory' | 'pointer'> | undefined {
    const block = this.chunks[Math.floor(slot / CHUNK)]?.block;
    if (block === undefined) return undefined;
    return { memory: block.memory, pointer: block.pointer + (slot % CHUNK) * this.stride };
  }

  set(slot: number, row: Float32Array): void {
    this.reserve(slot);
    const { dimension } = this;
    let largest = 0;
    let squares = 0;
    for (let i = 0; i < dimension; i += 1) {
      const value = row[i]!;
      squares += value * value;
      if (value > largest) largest = value;
      else if (-value > largest) largest = -value;
    }
    this.scales[slot] = largest / LEVELS;
    const scale = this.scales[slot]!;
    // A row too small for a scale reads as zero.
    const steps = scale === 0 || largest / scale > LEVELS + 0.49 ? 0 : 1 / scale;
    let missed = 0;
    const bytes = this.chunks[Math.floor(slot / CHUNK)]?.bytes;
    if (bytes !== undefined) {
      const start = (slot % CHUNK) * this.stride;
      for (let i = 0; i < dimension; i += 1) {
        const value = row[i]!;
        const level = ((value * steps + 256.5) | 0) - 256;
        bytes[start + i] = level;
        const difference = value - level * scale;
        missed += difference * difference;
      }
    }
    this.errors[slot] = (Math.sqrt(missed) + 4e-6 * Math.sqrt(squares)) * 1.0001;
  }

  move(from: number, to: number): void {
    const { stride } = this;
    const source = this.chunks[Math.floor(from / CHUNK)]?.bytes;
    const start = (from % CHUNK) * stride;
    if (source !== undefined) {
      const row = source.subarray(start, start + stride);
      this.chunks[Math.floor(to / CHUNK)]?.bytes.set(row, (to % CHUNK) * stride);
    }
    this.scales[to] = this.scales[from]!;
    this.errors[to] = this.errors[from]!;
  }

  /** Gives the memory of chunks from this number on back. */
  truncate(chunks: number): void {
    for (const chunk of this.chunks.splice(chunks)) {
      if (chunk !== undefined) this.simd.release(chunk.block);
    }
  }

  /**
   * Reserves the chunk of a slot. A chunk comes whole with its first row, but small while the index is: the first
   * doubles as the arena's does.
   */
  private reserve(slot: number): void {
    if (slot >= this.scales.length) {
      const length = this.scales.length * 2;
      this.scales = grown(this.scales, length);
      this.errors = grown(this.errors, length);
    }
    const number = Math.floor(slot / CHUNK);
    const old = this.chunks[number];
    const have = (old?.bytes.length ?? 0) / this.stride;
    if (slot % CHUNK < have) return;
    const slots = number > 0 ? CHUNK : Math.min(CHUNK, Math.max(64, have * 2));
    const block = this.simd.allocate((slots * this.stride) / 4);
    const bytes =
      block === undefined ? undefined : new Int8Array(block.data.buffer, block.pointer, slots * this.stride);
    if (old !== undefined) {
      bytes?.set(old.bytes);
      this.simd.release(old.block);
    }
    this.chunks[number] = block === undefined || bytes === undefined ? undefined : { block, bytes };
  }
}

function grown(old: Float32Array<ArrayBuffer>, length: number): Float32Array<ArrayBuffer> {
  const larger = new Float32Array(length);
  larger.set(old);
  return larger;
}
