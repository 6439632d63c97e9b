import { type Ranking, rankingOf } from '../score.js';
import type { Arena } from './scan/arena.js';

/**
 * Ranks slots of an arena against one prepared query, through the kernels where they reach. Between two awaits call
 * `begin` first: searches that alternate share the kernels' query area. Ranks are sums of 32-bit floats.
 */
export class Ranker {
  private readonly scalar: Ranking;

  constructor(
    private readonly arena: Arena,
    private readonly query: Float32Array,
  ) {
    this.scalar = rankingOf(arena.metric);
  }

  begin(): void {
    const area = this.arena.simd?.query.data;
    if (area === undefined) return;
    area.set(this.query);
    area.fill(0, this.query.length, this.arena.stride);
  }

  rank(slot: number): number {
    return this.ranks(slot, slot + 1)[0]!;
  }

  /** Returns the ranks of the slots from `start` to before `stop`, all in one chunk; valid until the next call. */
  ranks(start: number, stop: number): Float32Array {
    const { arena } = this;
    const { data, pointer } = arena.chunkAt(start);
    const { simd, stride } = arena;
    if (simd === undefined || pointer === undefined) {
      return Float32Array.from({ length: stop - start }, (_, i) =>
        this.scalar(this.query, data, arena.offsetAt(start + i), arena.dimension),
      );
    }
    const kernel = arena.metric === 'euclidean' ? simd.squares : simd.dots;
    const rows = pointer + arena.offsetAt(start) * 4;
    kernel(simd.query.pointer, rows, stop - start, stride * 4, simd.results.pointer);
    return simd.results.data;
  }

  /** Returns the rank of a slot in double precision: what scores are made of. */
  exact(slot: number): number {
    const { arena } = this;
    return this.scalar(this.query, arena.chunkAt(slot).data, arena.offsetAt(slot), arena.dimension);
  }
}
