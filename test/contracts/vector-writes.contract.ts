import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { compareText, parseFilter } from '../../src/backends/vector/filter.js';
import type { VectorBackend, VectorEntry } from '../../src/backends/vector/port.js';
import { seededRandom } from '../../src/core/random.js';
import type { VectorFixture } from './vector.contract.js';
import { point, referenceScore } from './vector-points.js';

/** The part of the vector contract that updates, deletes, scans and writes at once. */
export function vectorWritesContract(name: string, open: () => Promise<VectorFixture>): void {
  describe(`vector contract, changes: ${name}`, () => {
    let fixture: VectorFixture;
    let vectors: VectorBackend;
    beforeEach(async () => {
      fixture = await open();
      vectors = fixture.backend;
    });
    afterEach(async () => {
      await fixture.close();
    });

    it('updates by id: merges metadata, replaces the vector, keeps the document and the partition', async () => {
      await vectors.createIndex('m', { dimension: 2, metric: 'euclidean' });
      await vectors.upsert('m', [
        { id: 'a', vector: [1, 0], metadata: { x: 1, y: { z: 1 } }, document: 'D', partition: 'p' },
      ]);
      expect(await vectors.update('m', { ids: ['a', 'no'] }, { metadata: { y: 2, n: null } })).toBe(1);
      expect(await vectors.update('m', { ids: ['a'] }, { vector: [0, 7] })).toBe(1);
      expect(await vectors.update('m', { ids: ['no'] }, { metadata: { q: 1 } })).toBe(0);
      const hits = await vectors.query('m', { vector: [0, 7], topK: 1, partitions: ['p'], includeVector: true });
      expect(hits).toEqual([
        {
          id: 'a',
          score: expect.closeTo(1, 5),
          metadata: { x: 1, y: 2, n: null },
          document: 'D',
          vector: [0, 7],
        },
      ]);
      const filter = parseFilter({ y: 2 });
      expect((await vectors.query('m', { vector: [0, 7], topK: 1, filter })).length).toBe(1);
    });

    it('refuses to update with metadata that some engine could not keep', async () => {
      await vectors.createIndex('m', { dimension: 1 });
      await vectors.upsert('m', [{ id: 'a', vector: [1], metadata: { x: 1 } }]);
      for (const metadata of [{ x: 'a\0' }, { x: '\ud800' }, { 'x\0': 1 }]) {
        await expect(vectors.update('m', { ids: ['a'] }, { metadata })).rejects.toMatchObject({
          code: 'invalid_input',
        });
      }
      expect((await vectors.query('m', { vector: [1], topK: 1 }))[0]?.metadata).toEqual({ x: 1 });
    });

    it('updates and deletes by filter and counts', async () => {
      await vectors.createIndex('m', { dimension: 1, metric: 'dotproduct' });
      await vectors.upsert(
        'm',
        Array.from({ length: 10 }, (_, i) => ({ id: `n${i}`, vector: [i], metadata: { i } })),
      );
      expect(await vectors.update('m', { filter: parseFilter({ i: { $gte: 7 } }) }, { metadata: { high: true } })).toBe(
        3,
      );
      expect(await vectors.update('m', { filter: parseFilter({ high: true }) }, { vector: [100] })).toBe(3);
      expect((await vectors.query('m', { vector: [1], topK: 3 })).map((hit) => hit.score)).toEqual([100, 100, 100]);
      for (const [selector, count] of [
        [{ filter: parseFilter({ high: { $ne: true } }) }, 7],
        [{ ids: ['n7', 'n7', 'gone'] }, 1],
      ] as const) {
        expect(await vectors.count('m', selector)).toBe(count);
        expect(await vectors.delete('m', selector)).toBe(count);
        expect(await vectors.count('m', selector)).toBe(0);
      }
      expect((await vectors.scan('m', { limit: 10 })).map((entry) => entry.id).sort()).toEqual(['n8', 'n9']);
    });

    it('scores given ids without searching', async () => {
      await vectors.createIndex('m', { dimension: 2 });
      await vectors.upsert('m', [
        { id: 'a', vector: [1, 0] },
        { id: 'b', vector: [1, 1] },
      ]);
      const scores = await vectors.score('m', [1, 0], ['b', 'no', 'a']);
      expect([...scores.keys()].sort()).toEqual(['a', 'b']);
      expect(scores.get('b')).toBeCloseTo(Math.SQRT1_2, 5);
    });

    it('scans page by page in a fixed order, every entry once', async () => {
      await vectors.createIndex('m', { dimension: 1 });
      const ids = ['b', 'B', 'ä', 'a', '\u{1F600}', '\uFF5E', 'a1'];
      await vectors.upsert(
        'm',
        ids.map((id, i) => ({ id, vector: [i + 1], metadata: { i }, partition: `p${i}` })),
      );
      const seen: VectorEntry[] = [];
      for (let after: string | undefined; ; after = seen.at(-1)!.id) {
        const page = await vectors.scan('m', after === undefined ? { limit: 3 } : { after, limit: 3 });
        seen.push(...page);
        if (page.length < 3) break;
      }
      expect(seen.map((entry) => entry.id).sort(compareText)).toEqual([
        'B',
        'a',
        'a1',
        'b',
        'ä',
        '\uFF5E',
        '\u{1F600}',
      ]);
      expect(seen.find((entry) => entry.id === 'B')).toEqual({
        id: 'B',
        vector: Float32Array.from([2]),
        metadata: { i: 1 },
        partition: 'p1',
      });
    });

    it('adds entries whose ids are free and leaves the others', async () => {
      await vectors.createIndex('m', { dimension: 1, metric: 'dotproduct' });
      await vectors.upsert('m', [{ id: 'a', vector: [1], metadata: { old: true } }]);
      const entries = [
        { id: 'a', vector: [2] },
        { id: 'b', vector: [3], metadata: { m: [1] }, document: 'D', partition: 'p' },
      ];
      expect(await vectors.insertAbsent('m', entries)).toBe(1);
      expect(await vectors.insertAbsent('m', entries)).toBe(0);
      const whole = await vectors.get('m', ['b', 'a', 'none']);
      expect(whole.sort((a, b) => compareText(a.id, b.id))).toEqual([
        { id: 'a', vector: Float32Array.from([1]), metadata: { old: true }, partition: '' },
        { id: 'b', vector: Float32Array.from([3]), metadata: { m: [1] }, document: 'D', partition: 'p' },
      ]);
    });

    it.each(['cosine', 'euclidean', 'dotproduct'] as const)('agrees with a direct %s computation', async (metric) => {
      const random = seededRandom(metric);
      await vectors.createIndex('m', { dimension: 19, metric });
      const entries = Array.from({ length: 400 }, (_, i) => ({ id: `n${i}`, vector: point(random, 19) }));
      await vectors.upsert('m', entries);
      const query = point(random, 19);
      const hits = await vectors.query('m', { vector: query, topK: 25 });
      const expected = entries
        .map(({ id, vector }) => ({ id, score: referenceScore(metric, query, vector) }))
        .sort((a, b) => b.score - a.score)
        .slice(0, 25);
      expect(hits.map((hit) => hit.id)).toEqual(expected.map((hit) => hit.id));
      hits.forEach((hit, i) => {
        expect(Math.abs(hit.score - expected[i]!.score)).toBeLessThan(1e-5);
      });
    });

    it('loses nothing when many write at once', async () => {
      await vectors.createIndex('m', { dimension: 2 });
      await Promise.all(
        Array.from({ length: 20 }, async (_, client) => {
          for (let round = 0; round < 5; round += 1) {
            await vectors.upsert('m', [{ id: `c${client}-${round % 3}`, vector: [client, round + 1] }]);
            if (round === 3) await vectors.delete('m', { ids: [`c${client}-1`] });
          }
        }),
      );
      const left = await vectors.scan('m', { limit: 1000 });
      expect(left.length).toBe(20 * 3);
      expect((await vectors.query('m', { vector: [1, 1], topK: 1000 })).length).toBe(60);
      expect([...left.find((entry) => entry.id === 'c7-1')!.vector]).toEqual([7, 5]);
    });
  });
}
