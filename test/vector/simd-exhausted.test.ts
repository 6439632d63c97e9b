import { beforeAll, describe, expect, it } from '@jest/globals';
import { passedLimits } from '../../src/backends/vector/hnsw/limits.js';
import { Arena } from '../../src/backends/vector/hnsw/scan/arena.js';
import { Simd } from '../../src/backends/vector/hnsw/scan/simd.js';
import { search } from '../../src/backends/vector/hnsw/search.js';
import { normOf, prepared } from '../../src/backends/vector/score.js';
import { seededRandom } from '../../src/core/random.js';

const DIMENSION = 48;
const ROWS = 300;
/** 64 MB: taken, and never written to. */
const BLOCK = 16 * 1024 * 1024;

describe('the memory of the kernels, used up', () => {
  const simd = Simd.shared()!;
  beforeAll(() => {
    for (let floats = BLOCK; floats >= 1; floats /= 2) while (simd.allocate(floats) !== undefined);
  });

  const filled = (kernels: Simd | undefined, metric: 'cosine' | 'euclidean' | 'dotproduct'): Arena => {
    const random = seededRandom(5);
    const arena = new Arena(DIMENSION, metric, kernels);
    for (let ref = 1; ref <= ROWS; ref += 1) {
      const row = Float32Array.from({ length: DIMENSION }, () => random() * 2 - 1);
      arena.append(ref, row, { norm: normOf(row), partition: '' });
    }
    return arena;
  };

  it.each(['cosine', 'euclidean', 'dotproduct'] as const)('leaves answers as they are: %s', async (metric) => {
    const random = seededRandom(6);
    const query = prepared(
      metric,
      Float32Array.from({ length: DIMENSION }, () => random() * 2 - 1),
    );
    const answer = async (arena: Arena) => {
      const candidates = { count: arena.live, mask: undefined };
      const limits = { exactBelow: 20_000, ef: 64 };
      const { found } = await search(arena, undefined, { query, k: 20, candidates, limits });
      return found.map((hit) => hit.ref);
    };
    const outside = filled(simd, metric);
    expect(outside.exceedsKernels).toBe(true);
    expect(await answer(outside)).toEqual(await answer(filled(undefined, metric)));
    expect(passedLimits('tea', outside, undefined).join()).toContain('tea');
    outside.kill(outside.slotOf(7));
    outside.compact(ROWS, () => undefined);
    expect(outside.size).toBe(ROWS - 1);
    outside.dispose();
  });

  it('is used again once an index gives its blocks back', () => {
    expect(simd.allocate(1)).toBeUndefined();
    simd.release(simd.query.pointer, 4096 * 2);
    expect(simd.allocate(4096 * 2)?.pointer).toBe(simd.query.pointer);
  });
});
