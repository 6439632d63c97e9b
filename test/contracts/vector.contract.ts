import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parseFilter } from '../../src/backends/vector/filter.js';
import type { VectorBackend, VectorEntry } from '../../src/backends/vector/port.js';
import { SvcError } from '../../src/core/errors.js';
import { seededRandom } from '../../src/core/random.js';
import { point } from './vector-points.js';
import { vectorWritesContract } from './vector-writes.contract.js';

export interface VectorFixture {
  readonly backend: VectorBackend;
  readonly close: () => Promise<void>;
}

/** What every vector engine promises; `open` gives an empty, connected one. */
export function vectorContract(name: string, open: () => Promise<VectorFixture>): void {
  describe(`vector contract: ${name}`, () => {
    let fixture: VectorFixture;
    let vectors: VectorBackend;
    beforeEach(async () => {
      fixture = await open();
      vectors = fixture.backend;
    });
    afterEach(async () => {
      await fixture.close();
    });

    it('creates an index once and says when it exists', async () => {
      expect(await vectors.createIndex('a', { dimension: 3 })).toBe('created');
      expect(await vectors.createIndex('a', { dimension: 3 })).toBe('exists');
      expect(await vectors.createIndex('a', { dimension: 3, metric: 'cosine' })).toBe('exists');
      const error = await caught(vectors.createIndex('a', { dimension: 3, metric: 'euclidean' }));
      expect(error.code).toBe('conflict');
      expect(error.message).toContain('metric');
      expect(await vectors.describeIndex('a')).toEqual({ name: 'a', dimension: 3, metric: 'cosine', count: 0 });
    });

    it('refuses another dimension with a conflict that says so', async () => {
      await vectors.createIndex('a', { dimension: 3 });
      const error = await caught(vectors.createIndex('a', { dimension: 4 }));
      expect(error.code).toBe('conflict');
      expect(error.message).toContain('dimension');
    });

    it('lists indexes by name with their counts and deletes them with their data', async () => {
      await vectors.createIndex('b', { dimension: 2, metric: 'dotproduct' });
      await vectors.createIndex('a', { dimension: 2 });
      await vectors.upsert('b', [{ id: 'x', vector: [1, 0] }]);
      expect(await vectors.listIndexes()).toEqual([
        { name: 'a', dimension: 2, metric: 'cosine', count: 0 },
        { name: 'b', dimension: 2, metric: 'dotproduct', count: 1 },
      ]);
      expect(await vectors.deleteIndex('b')).toBe(true);
      expect(await vectors.deleteIndex('b')).toBe(false);
      await vectors.createIndex('b', { dimension: 2 });
      expect((await vectors.describeIndex('b')).count).toBe(0);
      expect(await vectors.query('b', { vector: [1, 0], topK: 5 })).toEqual([]);
    });

    it('answers index_not_found for an index that is not there, whatever the request', async () => {
      const calls = [
        () => vectors.describeIndex('no'),
        () => vectors.upsert('no', [{ id: 'x', vector: [1] }]),
        () => vectors.query('no', { vector: [1], topK: 1 }),
        () => vectors.score('no', [1], ['x']),
        () => vectors.fetch('no', ['x']),
        () => vectors.update('no', { ids: ['x'] }, { metadata: {} }),
        () => vectors.delete('no', { ids: ['x'] }),
        () => vectors.scan('no', { limit: 1 }),
      ];
      for (const call of calls) expect((await caught(call())).code).toBe('index_not_found');
    });

    it.each([
      ['cosine', [1, 0.6, -1]],
      ['dotproduct', [2, 3, -1]],
      ['euclidean', [1 / (1 + 1), 1 / (1 + Math.sqrt(20)), 1 / (1 + 2)]],
    ] as const)('scores %s as documented, negative scores included', async (metric, scores) => {
      await vectors.createIndex('m', { dimension: 2, metric });
      await vectors.upsert('m', [
        { id: 'a', vector: [2, 0] },
        { id: 'b', vector: [3, 4] },
        { id: 'c', vector: [-1, 0] },
      ]);
      const hits = await vectors.query('m', { vector: [1, 0], topK: 10 });
      const found = new Map(hits.map((hit) => [hit.id, hit.score]));
      ['a', 'b', 'c'].forEach((id, i) => {
        expect(found.get(id)).toBeCloseTo(scores[i]!, 5);
      });
      for (let i = 1; i < hits.length; i += 1) expect(hits[i - 1]!.score).toBeGreaterThanOrEqual(hits[i]!.score);
    });

    it('returns what was stored, also where the engine normalises', async () => {
      await vectors.createIndex('m', { dimension: 3 });
      const entry = {
        id: 'ä/1',
        vector: [3, -4, 12],
        metadata: { a: { b: [1, 'x', null] }, c: true },
        document: 'Text',
      };
      await vectors.upsert('m', [entry]);
      const [hit] = await vectors.query('m', { vector: [1, 1, 1], topK: 1, includeVector: true });
      expect(hit).toMatchObject({ id: entry.id, metadata: entry.metadata, document: 'Text', vector: entry.vector });
      expect([...(await vectors.fetch('m', ['ä/1', 'no'])).entries()]).toEqual([
        ['ä/1', Float32Array.from([3, -4, 12])],
      ]);
    });

    it('leaves out document and vector where there are none or none was requested', async () => {
      await vectors.createIndex('m', { dimension: 1 });
      await vectors.upsert('m', [{ id: 'a', vector: [1] }]);
      const [hit] = await vectors.query('m', { vector: [1], topK: 1 });
      expect(hit).toEqual({ id: 'a', score: expect.closeTo(1, 5), metadata: {} });
    });

    it('replaces entries of equal ids, and takes the last of equal ids in one call', async () => {
      await vectors.createIndex('m', { dimension: 2, metric: 'euclidean' });
      await vectors.upsert('m', [{ id: 'a', vector: [1, 0], metadata: { v: 1 }, document: 'old' }]);
      await vectors.upsert('m', [
        { id: 'a', vector: [5, 5], metadata: { v: 2 } },
        { id: 'a', vector: [0, 1], metadata: { v: 3 } },
      ]);
      expect((await vectors.describeIndex('m')).count).toBe(1);
      expect(await vectors.query('m', { vector: [0, 1], topK: 5 })).toEqual([
        { id: 'a', score: expect.closeTo(1, 5), metadata: { v: 3 } },
      ]);
    });

    it('breaks ties by id, at the cut too', async () => {
      await vectors.createIndex('m', { dimension: 2 });
      const ids = ['d', 'b', 'e', 'a', 'c', 'f'];
      await vectors.upsert('m', [...ids.map((id) => ({ id, vector: [1, 1] })), { id: 'z', vector: [1, 0] }]);
      const best = await vectors.query('m', { vector: [1, 0], topK: 4 });
      expect(best.map((hit) => hit.id)).toEqual(['z', 'a', 'b', 'c']);
    });

    it('keeps a zero vector and scores it zero under cosine', async () => {
      await vectors.createIndex('m', { dimension: 2 });
      await vectors.upsert('m', [
        { id: 'zero', vector: [0, 0] },
        { id: 'anti', vector: [-1, 0] },
      ]);
      const hits = await vectors.query('m', { vector: [1, 0], topK: 5, includeVector: true });
      expect(hits.map((hit) => hit.id)).toEqual(['zero', 'anti']);
      expect(hits[0]!.score).toBeCloseTo(0, 6);
      expect(hits[0]!.vector).toEqual([0, 0]);
      expect((await vectors.query('m', { vector: [0, 0], topK: 5 })).map((hit) => hit.score)).toEqual([0, 0]);
    });

    it('refuses a wrong dimension, NaN and infinity and writes nothing', async () => {
      await vectors.createIndex('m', { dimension: 2 });
      await vectors.upsert('m', [{ id: 'a', vector: [1, 0] }]);
      for (const vector of [[1], [1, 2, 3], [], [1, Number.NaN], [Number.POSITIVE_INFINITY, 0], [1e39, 0]]) {
        const entries = [
          { id: 'b', vector: [1, 1] },
          { id: 'a', vector },
        ];
        expect((await caught(vectors.upsert('m', entries))).code).toBe('invalid_input');
        expect((await caught(vectors.query('m', { vector, topK: 1 }))).code).toBe('invalid_input');
        expect((await caught(vectors.update('m', { ids: ['a'] }, { vector }))).code).toBe('invalid_input');
        expect((await caught(vectors.score('m', vector, ['a']))).code).toBe('invalid_input');
      }
      expect((await vectors.describeIndex('m')).count).toBe(1);
      expect([...(await vectors.fetch('m', ['a'])).values()]).toEqual([Float32Array.from([1, 0])]);
    });

    it('refuses a dimension that no index can have', async () => {
      for (const dimension of [0, -1, 1.5, 100_000]) {
        expect((await caught(vectors.createIndex('m', { dimension }))).code).toBe('invalid_input');
      }
    });

    it('refuses ids that some engine could not keep', async () => {
      await vectors.createIndex('m', { dimension: 1 });
      for (const id of ['', 'a\0b', 'x'.repeat(513), '\ud800']) {
        expect((await caught(vectors.upsert('m', [{ id, vector: [1] }]))).code).toBe('invalid_input');
      }
    });

    it('keeps partitions apart before the search, so that a small one gets full recall', async () => {
      await vectors.createIndex('m', { dimension: 4 });
      const random = seededRandom(1);
      const entries: VectorEntry[] = [];
      for (let i = 0; i < 300; i += 1) {
        entries.push({ id: `big${i}`, vector: point(random, 4), partition: 'big' });
        if (i % 30 === 0) entries.push({ id: `small${i}`, vector: point(random, 4), partition: 'small' });
      }
      await vectors.upsert('m', entries);
      const query = { vector: point(random, 4), topK: 50 };
      const small = await vectors.query('m', { ...query, partitions: ['small'] });
      expect(small.length).toBe(10);
      expect(small.every((hit) => hit.id.startsWith('small'))).toBe(true);
      expect(await vectors.query('m', { ...query, partitions: [] })).toEqual([]);
      expect(await vectors.query('m', { ...query, partitions: ['none'] })).toEqual([]);
      expect((await vectors.query('m', { ...query, partitions: ['small', 'big'] })).length).toBe(50);
      expect(await vectors.delete('m', { partition: 'small' })).toBe(10);
      expect(await vectors.query('m', { ...query, partitions: ['small'] })).toEqual([]);
      expect((await vectors.describeIndex('m')).count).toBe(300);
    });

    it('returns every match of a filter up to top_k, whatever the selectivity', async () => {
      await vectors.createIndex('m', { dimension: 4 });
      const random = seededRandom(2);
      await vectors.upsert(
        'm',
        Array.from({ length: 500 }, (_, i) => ({
          id: `n${i}`,
          vector: point(random, 4),
          metadata: { i, odd: i % 2 === 1 },
        })),
      );
      const query = { vector: point(random, 4), topK: 20 };
      const rare = await vectors.query('m', { ...query, filter: parseFilter({ i: { $in: [3, 77, 499, 'x'] } }) });
      expect(rare.map((hit) => hit.id).sort()).toEqual(['n3', 'n499', 'n77']);
      const half = await vectors.query('m', { ...query, filter: parseFilter({ odd: true }) });
      expect(half.length).toBe(20);
      expect(half.every((hit) => hit.metadata.odd === true)).toBe(true);
      expect(await vectors.query('m', { ...query, filter: parseFilter({ nothing: 1 }) })).toEqual([]);
    });
  });
  vectorWritesContract(name, open);
}

async function caught(promise: Promise<unknown>): Promise<SvcError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SvcError);
  return error as SvcError;
}
