import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { assembledKernels, KERNELS_FILE } from '../../scripts/assembled-kernels.js';
import { Ranker } from '../../src/backends/vector/hnsw/ranker.js';
import { Arena } from '../../src/backends/vector/hnsw/scan/arena.js';
import { Simd } from '../../src/backends/vector/hnsw/scan/simd.js';
import { search } from '../../src/backends/vector/hnsw/search.js';
import { normOf, prepared } from '../../src/backends/vector/score.js';
import { seededRandom } from '../../src/core/random.js';

describe('the vector kernels', () => {
  it('are assembled from their text (if the text changed: npm run kernels)', async () => {
    expect(await assembledKernels()).toBe(readFileSync(KERNELS_FILE, 'utf8'));
  });

  it('are there on this platform', () => {
    expect(Simd.shared()).toBeInstanceOf(Simd);
  });

  it('rank like JavaScript alone for every dimension and metric', () => {
    const dimension = fc.integer({ min: 1, max: 400 });
    const metric = fc.constantFrom('cosine', 'euclidean', 'dotproduct');
    fc.assert(
      fc.property(dimension, metric, fc.integer(), (n, kind, seed) => {
        const random = seededRandom(seed);
        const vector = (): Float32Array => Float32Array.from({ length: n }, () => random() * 2 - 1);
        const arenas = [new Arena(n, kind, Simd.shared()), new Arena(n, kind, undefined)] as const;
        for (let ref = 1; ref <= 70; ref += 1) {
          const row = vector();
          for (const arena of arenas) arena.append(ref, row, { norm: normOf(row), partition: '' });
        }
        const query = prepared(kind, vector());
        const [fast, scalar] = arenas.map((arena) => new Ranker(arena, query)) as [Ranker, Ranker];
        fast.begin();
        const ranks = Array.from(fast.ranks(3, 70)).slice(0, 67);
        ranks.forEach((rank, i) => {
          expect(Math.abs(rank - scalar.exact(3 + i))).toBeLessThan(1e-4);
          expect(fast.exact(3 + i)).toBe(scalar.exact(3 + i));
        });
        for (const arena of arenas) arena.dispose();
      }),
      { numRuns: 60 },
    );
  });

  it('give memory back to the next index of its size, zeroed', () => {
    const simd = Simd.shared()!;
    const block = simd.allocate(5000)!;
    block.data.fill(7);
    simd.release(block);
    const again = simd.allocate(5000)!;
    expect(again.pointer).toBe(block.pointer);
    expect(again.data.every((value) => value === 0)).toBe(true);
    simd.release(again);
  });
});

describe('the first look at coarse rows', () => {
  it('leaves nothing out: the k best and their ties are those of a scan of all vectors', async () => {
    const metric = fc.constantFrom('cosine', 'dotproduct');
    const shape = { n: fc.integer({ min: 1, max: 200 }), k: fc.integer({ min: 1, max: 60 }), seed: fc.integer() };
    const property = fc.asyncProperty(metric, fc.record(shape), async (kind, { n, k, seed }) => {
      const random = seededRandom(seed);
      const scale = 10 ** (random() * 6 - 3);
      const arena = new Arena(n, kind, Simd.shared());
      const kept: Float32Array[] = [];
      for (let ref = 1; ref <= 5000; ref += 1) {
        const twin = kept[Math.floor(random() * kept.length * 4)];
        const row = twin ?? Float32Array.from({ length: n }, () => (random() * 2 - 1) * scale);
        kept.push(row);
        arena.append(ref, row, { norm: normOf(row), partition: '' });
      }
      for (let slot = 0; slot < 5000; slot += 7) arena.kill(slot);
      const query = prepared(
        kind,
        Float32Array.from({ length: n }, () => random() * 2 - 1),
      );
      const ranker = new Ranker(arena, query);
      ranker.begin();
      const all = Array.from({ length: 5000 }, (_, slot) => ({ ref: slot + 1, rank: ranker.rank(slot) }));
      const living = all.filter((_, slot) => arena.alive[slot] === 1).sort((a, b) => b.rank - a.rank);
      const limits = { exactBelow: 20_000, ef: 64 };
      const candidates = { count: arena.live, mask: undefined };
      const { found, ties } = await search(arena, undefined, { query, k, candidates, limits });
      expect(found.map((hit) => hit.rank)).toEqual(living.slice(0, k).map((hit) => hit.rank));
      const cut = living[k - 1]!.rank;
      const tied = living.filter((hit) => hit.rank === cut);
      const through = living[k]?.rank === cut;
      expect([...ties].sort((a, b) => a - b)).toEqual(through ? tied.map((hit) => hit.ref).sort((a, b) => a - b) : []);
      arena.dispose();
    });
    await fc.assert(property, { numRuns: 40 });
  }, 300_000);
});

describe('the arena', () => {
  it('finds rows by ref before, during and after compaction', () => {
    const arena = new Arena(3, 'dotproduct', Simd.shared());
    const random = seededRandom(3);
    for (let ref = 1; ref <= 9000; ref += 1) {
      arena.append(ref * 2, Float32Array.from([ref, 0, 0]), { norm: ref, partition: ref % 2 === 0 ? 'even' : 'odd' });
    }
    const dead = new Set<number>();
    for (let ref = 1; ref <= 9000; ref += 1) {
      if (random() < 0.7) {
        arena.kill(arena.slotOf(ref * 2));
        dead.add(ref * 2);
      }
    }
    const check = (): void => {
      let wrong = 0;
      for (let ref = 1; ref <= 18_002; ref += 371) {
        const slot = arena.slotOf(ref);
        const there = ref % 2 === 0 && ref <= 18_000 && !dead.has(ref);
        if (slot >= 0 !== there || (there && arena.vectorAt(slot)[0] !== ref / 2)) wrong += 1;
        for (let at = arena.slotAfter(ref); at < arena.size; at += 1) {
          if (arena.alive[at] === 1 && arena.refs[at]! <= ref) wrong += 1;
        }
      }
      expect(wrong).toBe(0);
    };
    check();
    let steps = 0;
    while (!arena.compact(1500, () => {})) {
      steps += 1;
      if (steps === 2) arena.append(20_000, Float32Array.from([1, 2, 3]), { norm: 1, partition: 'late' });
      check();
    }
    check();
    expect(arena.size).toBe(arena.live);
    expect(arena.live).toBe(9000 - dead.size + 1);
    expect(arena.vectorAt(arena.slotOf(20_000))).toEqual(Float32Array.from([1, 2, 3]));
    arena.dispose();
  });
});
