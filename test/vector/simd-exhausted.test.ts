import { afterEach, describe, expect, it } from '@jest/globals';
import { passedLimits } from '../../src/backends/vector/hnsw/limits.js';
import { Arena } from '../../src/backends/vector/hnsw/scan/arena.js';
import { Simd } from '../../src/backends/vector/hnsw/scan/simd.js';
import { search } from '../../src/backends/vector/hnsw/search.js';
import { normOf, prepared } from '../../src/backends/vector/score.js';
import { seededRandom } from '../../src/core/random.js';

const DIMENSION = 48;
const METRICS = ['cosine', 'euclidean', 'dotproduct'] as const;
/** Pages of one memory: 1 MB, which is one chunk of such rows with its coarse copy. */
const PAGES = 18;
const limits = { exactBelow: 20_000, ef: 64 };

const arenas: Arena[] = [];
afterEach(() => {
  for (const arena of arenas.splice(0)) arena.dispose();
});

function filled(simd: Simd | undefined, metric: (typeof METRICS)[number], rows: number): Arena {
  const random = seededRandom(5);
  const arena = new Arena(DIMENSION, metric, simd);
  arenas.push(arena);
  for (let ref = 1; ref <= rows; ref += 1) {
    const row = Float32Array.from({ length: DIMENSION }, () => random() * 2 - 1);
    arena.append(ref, row, { norm: normOf(row), partition: '' });
  }
  return arena;
}

function queryOf(metric: (typeof METRICS)[number]): Float32Array {
  const random = seededRandom(6);
  return prepared(
    metric,
    Float32Array.from({ length: DIMENSION }, () => random() * 2 - 1),
  );
}

const answer = (arena: Arena, query: Float32Array) =>
  search(arena, undefined, { query, k: 20, candidates: { count: arena.live, mask: undefined }, limits });

describe('vectors beyond one memory of the kernels', () => {
  it.each(METRICS)('are ranked to the bit as those of one memory are: %s', async (metric) => {
    const simd = Simd.open(PAGES)!;
    const several = filled(simd, metric, 20_000);
    const one = filled(Simd.shared(), metric, 20_000);
    expect(simd.count).toBeGreaterThan(3);
    expect(several.exceedsKernels).toBe(false);
    const query = queryOf(metric);
    expect(await answer(several, query)).toEqual(await answer(one, query));
    // Two at once share the memories' areas for queries.
    const other = query.map((value, i) => (i % 2 === 0 ? value : -value));
    const both = await Promise.all([answer(several, query), answer(several, other)]);
    expect(both).toEqual([await answer(one, query), await answer(one, other)]);
    for (const arena of [several, one]) {
      for (let ref = 1; ref <= 20_000; ref += 1) if (ref % 3 !== 0) arena.kill(arena.slotOf(ref));
      while (!arena.compact(4096, () => undefined));
    }
    expect(await answer(several, query)).toEqual(await answer(one, query));
  });

  it('are given memory that others gave back', () => {
    const simd = Simd.open(PAGES)!;
    filled(simd, 'cosine', 20_000).dispose();
    const { count } = simd;
    const again = filled(simd, 'cosine', 20_000);
    expect(simd.count).toBe(count);
    expect(again.exceedsKernels).toBe(false);
  });
});

describe('the memory of the kernels, used up', () => {
  const usedUp = (): Simd => {
    const simd = Simd.open(PAGES, 1)!;
    for (let floats = 1 << 18; floats >= 1; floats /= 2) while (simd.allocate(floats) !== undefined);
    return simd;
  };

  it.each(METRICS)('leaves answers as they are: %s', async (metric) => {
    const outside = filled(usedUp(), metric, 300);
    const query = queryOf(metric);
    const refs = async (arena: Arena) => (await answer(arena, query)).found.map((hit) => hit.ref);
    expect(outside.exceedsKernels).toBe(true);
    expect(await refs(outside)).toEqual(await refs(filled(undefined, metric, 300)));
    const { live, exceedsKernels } = outside;
    expect(passedLimits('tea', { live, exceedsKernels, beyond: 0 }).join()).toContain('tea');
    outside.kill(outside.slotOf(7));
    outside.compact(300, () => undefined);
    expect(outside.size).toBe(299);
  });

  it('is used again once an index gives its blocks back', () => {
    const simd = Simd.open(PAGES, 1)!;
    const block = simd.allocate(5000)!;
    while (simd.allocate(5000) !== undefined);
    simd.release(block);
    expect(simd.allocate(5000)?.pointer).toBe(block.pointer);
    expect(simd.allocate(5000)).toBeUndefined();
  });
});
