import type { KernelMemory } from '../../../core/kernels/kernel-memory.js';
import { type Ranking, rankingOf } from '../score.js';
import type { Arena } from './scan/arena.js';

/**
 * Ranks slots of an arena against one prepared query, through the kernels where they reach. Between two awaits call
 * `begin` first: searches that alternate share the kernels' query areas. Ranks are sums of 32-bit floats.
 */
export class Ranker {
  private readonly scalar: Ranking;
  /** The memory whose query area holds the query. */
  private ready: KernelMemory | undefined;

  constructor(
    private readonly arena: Arena,
    private readonly query: Float32Array,
  ) {
    this.scalar = rankingOf(arena.metric);
  }

  begin(): void {
    this.ready = undefined;
  }

  rank(slot: number): number {
    return this.ranks(slot, slot + 1)[0]!;
  }

  /** Returns the ranks of the slots from `start` to before `stop`, all in one chunk; valid until the next call. */
  ranks(start: number, stop: number): Float32Array {
    const { arena } = this;
    const { data, memory, pointer } = arena.chunkAt(start);
    if (memory === undefined) {
      return Float32Array.from({ length: stop - start }, (_, i) =>
        this.scalar(this.query, data, arena.offsetAt(start + i), arena.dimension),
      );
    }
    if (memory !== this.ready) this.prepare(memory);
    const kernel = arena.metric === 'euclidean' ? memory.squares : memory.dots;
    const rows = pointer + arena.offsetAt(start) * 4;
    kernel(memory.query.pointer, rows, stop - start, arena.stride * 4, memory.results.pointer);
    return memory.results.data;
  }

  /** Returns the rank of a slot in double precision: what scores are made of. */
  exact(slot: number): number {
    const { arena } = this;
    return this.scalar(this.query, arena.chunkAt(slot).data, arena.offsetAt(slot), arena.dimension);
  }

  private prepare(memory: KernelMemory): void {
    const area = memory.query.data;
    area.set(this.query);
    area.fill(0, this.query.length, this.arena.stride);
    this.ready = memory;
  }
}
