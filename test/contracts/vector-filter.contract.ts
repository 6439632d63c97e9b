import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseFilter } from '../../src/backends/vector/filter.js';
import { MemoryVectors } from '../../src/backends/vector/memory.js';
import type { Metric, VectorBackend, VectorHit } from '../../src/backends/vector/port.js';
import { seededRandom } from '../../src/core/random.js';
import { anyFilter, anyMetadata } from '../vector/filter-arbitrary.js';
import type { VectorFixture } from './vector.contract.js';

const DIMENSION = 6;

/** Random filters over random metadata: the engine answers what memory answers. */
export function vectorFilterContract(name: string, open: () => Promise<VectorFixture>, runs: number): void {
  describe(`vector filters: ${name}`, () => {
    it.each(['cosine', 'euclidean', 'dotproduct'] as const)(
      'agrees with memory on random filters (%s)',
      async (metric) => {
        const { backend, close } = await open();
        try {
          await compare(backend, metric, runs);
        } finally {
          await close();
        }
      },
    );
  });
}

async function compare(backend: VectorBackend, metric: Metric, runs: number): Promise<void> {
  const reference = new MemoryVectors();
  const random = seededRandom(metric);
  const vector = (): number[] => Array.from({ length: DIMENSION }, () => Math.fround(random() * 2 - 1));
  const samples = fc.sample(anyMetadata, { numRuns: 200, seed: 7 });
  const entries = samples.map((metadata, i) => ({ id: `id${i}`, vector: vector(), metadata, partition: `p${i % 3}` }));
  for (const each of [backend, reference]) {
    await each.createIndex('random', { dimension: DIMENSION, metric });
    await each.upsert('random', entries);
  }
  const k = fc.constantFrom(1, 5, 20, 1000);
  const partitions = fc.constantFrom(undefined, ['p1'], ['p0', 'p2']);
  await fc.assert(
    fc.asyncProperty(anyFilter, k, partitions, async (wire, topK, only) => {
      const filter = parseFilter(wire);
      const query = { vector: vector(), topK, filter, ...(only === undefined ? {} : { partitions: only }) };
      expectSame(await backend.query('random', query), await reference.query('random', query));
    }),
    { numRuns: runs, seed: 11 },
  );
}

/** Same ids; in order wherever scores differ by more than 1e-5; scores within 1e-5; metadata equal. */
export function expectSame(found: readonly VectorHit[], expected: readonly VectorHit[]): void {
  expect(found.length).toBe(expected.length);
  const scores = new Map(expected.map((hit) => [hit.id, hit]));
  const last = expected.at(-1)?.score ?? 0;
  found.forEach((hit, i) => {
    expectNear(hit.score, expected[i]!.score);
    const same = scores.get(hit.id);
    // At the cut, entries whose scores are equal within the tolerance may stand for each other.
    if (same === undefined) expectNear(hit.score, last);
    else {
      expectNear(hit.score, same.score);
      if (!isDeepStrictEqual(hit.metadata, same.metadata)) expect(hit.metadata).toEqual(same.metadata);
    }
  });
}

/** Asks the runner only where it will fail: an assertion for each of a million scores takes longer than all searches. */
function expectNear(score: number, expected: number): void {
  const off = Math.abs(score - expected);
  if (!(off <= 1e-5)) expect(off).toBeLessThanOrEqual(1e-5);
}
