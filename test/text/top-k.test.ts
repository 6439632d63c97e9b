import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { contribution } from '../../src/backends/text/bm25.js';
import { PostingList } from '../../src/backends/text/postings/lists/list.js';
import { Candidates } from '../../src/backends/text/postings/search/candidates.js';
import type { DomainQuery } from '../../src/backends/text/postings/search/domain-query.js';
import { collectTop } from '../../src/backends/text/postings/search/top-k.js';
import { seededRandom } from '../../src/core/random.js';

/** Random posting lists over documents with fixed lengths: a few common terms, some rare ones, some postings dead. */
function randomQuery(seed: number, uniform: boolean): DomainQuery {
  const random = seededRandom(seed);
  const documents = 50 + Math.floor(random() * (random() < 0.9 ? 3000 : 20_000));
  const lengths = Array.from({ length: documents }, () => (uniform ? 10 : 1 + Math.floor(random() * 200)));
  const shares = Array.from({ length: 1 + Math.floor(random() * (random() < 0.8 ? 7 : 60)) }, () => random() ** 4);
  const lists = shares.map((share) => {
    const list = new PostingList();
    for (let ref = 1; ref <= documents; ref += 1) {
      if (random() < share)
        list.add(ref, random() < 0.7 ? 1 : 1 + Math.floor(random() * 9), lengths[ref - 1] as number);
    }
    for (let i = 0; i < 20; i += 1) if (random() < 0.5) list.kill(1 + Math.floor(random() * documents));
    return list;
  });
  const weights = lists.map((list) => 2.2 * Math.log(1 + (documents - list.df + 0.5) / (list.df + 0.5)));
  const mean = lengths.reduce((a, b) => a + b, 0) / documents;
  return { lists, weights, base: 0.3, slope: 0.9 / mean };
}

function exhaustive({ lists, weights, base, slope }: DomainQuery): Map<number, number> {
  const scores = new Map<number, number>();
  lists.forEach((list, term) => {
    for (let at = 0; at < list.count; at += 1) {
      const tf = list.tfs[at] as number;
      const ref = list.refs[at] as number;
      if (tf === 0) continue;
      const part = contribution(weights[term] as number, tf, base + slope * (list.lengths[at] as number));
      scores.set(ref, (scores.get(ref) ?? 0) + part);
    }
  });
  return scores;
}

it('early termination finds exactly what exhaustive scoring finds, ties included', () => {
  fc.assert(
    fc.property(fc.nat(), fc.boolean(), fc.integer({ min: 1, max: 60 }), (seed, uniform, k) => {
      const query = randomQuery(seed, uniform);
      const all = [...exhaustive(query)].sort((a, b) => b[1] - a[1]);
      const candidates = new Candidates(k);
      collectTop(query, candidates);
      const { sure, tied, score, open } = candidates.result();
      const last = all.length > k ? (all[k - 1] as [number, number])[1] : 0;
      const expected = all.filter(([, value]) => value > last);
      expect(new Map(sure.map((hit) => [hit.ref, hit.score]))).toEqual(
        new Map(all.length >= k ? expected.filter(([, v]) => v > score) : all),
      );
      const ties = all.filter(([, value]) => value === score).map(([ref]) => ref);
      if (all.length >= k) expect([...tied].sort((a, b) => a - b)).toEqual(ties.sort((a, b) => a - b));
      expect(sure.length + Math.min(open, tied.length)).toBe(Math.min(k, all.length));
    }),
    { numRuns: 300 },
  );
});

it('a question of very many words reads each posting once', () => {
  let reads = 0;
  const lists = Array.from({ length: 2000 }, (_, term) => {
    const list = new PostingList();
    for (let ref = 1 + (term % 7); ref <= 1000; ref += 7 + (term % 5)) list.add(ref, 1, 100);
    const { tfs } = list;
    list.tfs = new Proxy(tfs, {
      get: (target, name) => {
        if (typeof name === 'string' && /^\d+$/.test(name)) reads += 1;
        return Reflect.get(target, name, target) as unknown;
      },
    });
    return list;
  });
  const postings = lists.reduce((sum, list) => sum + list.count, 0);
  collectTop({ lists, weights: lists.map(() => 1), base: 0.3, slope: 0.01 }, new Candidates(10));
  expect(reads).toBeLessThanOrEqual(postings);
});

it('a list finds a position as a linear search does, from any earlier cursor', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 1, max: 500 }), { maxLength: 200 }),
      fc.nat(510),
      fc.nat(200),
      (refs, ref, from) => {
        const sorted = refs.sort((a, b) => a - b);
        const list = new PostingList();
        for (const one of sorted) list.add(one, 1, 1);
        const at = sorted.findIndex((one, i) => i >= from && one >= ref);
        expect(list.find(ref, from)).toBe(at === -1 ? Math.max(from, sorted.length) : at);
      },
    ),
  );
});
