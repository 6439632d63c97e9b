import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { WriteScope } from '../../src/backends/store/scope.js';
import { MemoryTextIndex } from '../../src/backends/text/memory.js';
import type { TextDoc, TextIndex } from '../../src/backends/text/port.js';
import { analyse } from '../../src/core/text/words.js';
import { knownStemsContract } from './known-stems.contract.js';

export interface TextContract {
  readonly name: string;
  /** A connected, empty index. */
  readonly open: () => Promise<TextIndex>;
  readonly close?: () => Promise<void>;
  /** Runs work in a store transaction, where the index joins one. */
  readonly write?: (work: (scope: WriteScope) => Promise<void>) => Promise<void>;
  /** Random sequences a property runs; default 60. */
  readonly runs?: number;
}

const doc = (id: string, text: string, more: Partial<TextDoc> = {}): TextDoc => ({
  id,
  domain: 'd',
  title: '',
  text,
  ...more,
});

/** What every text index does. Ids, order and scores must equal the memory index's. */
export function textContract(contract: TextContract): void {
  describe(`text index: ${contract.name}`, () => {
    let index: TextIndex;

    beforeEach(async () => {
      index = await contract.open();
    });
    afterEach(async () => {
      await index.disconnect();
      await contract.close?.();
    });

    knownStemsContract(() => index);
    it('finds documents by stems of title and text, best first', async () => {
      await index.upsert([
        doc('a', 'The universities were running.', { title: 'Oxford' }),
        doc('b', 'A university runs, runs and runs.'),
        doc('c', 'Nothing of the kind.'),
      ]);
      const { hits } = await index.search('run university', { topK: 10 });
      expect(hits.map((hit) => hit.id)).toEqual(['b', 'a']);
      expect((await index.search('oxford', { topK: 10 })).hits.map((hit) => hit.id)).toEqual(['a']);
    });

    it('scores as the formula says', async () => {
      await index.upsert([doc('a', 'red fox'), doc('b', 'red red rose garden'), doc('c', 'blue')]);
      const { hits, attainable, terms, documents } = await index.search('red', { topK: 10 });
      const idf = Math.log(1 + (3 - 2 + 0.5) / (2 + 0.5));
      const score = (tf: number, length: number) => (idf * 2.2 * tf) / (tf + 1.2 * (0.25 + (0.75 * length) / (7 / 3)));
      expect(documents).toBe(3);
      expect(terms).toEqual([{ stem: 'red', idf, df: 2 }]);
      expect(attainable).toBeCloseTo(idf * 2.2, 12);
      expect(hits).toEqual([
        { id: 'b', score: expect.closeTo(score(2, 4), 12) },
        { id: 'a', score: expect.closeTo(score(1, 2), 12) },
      ]);
    });

    it('names each stem of the query once, in order, and leaves unknown ones out of what is attainable', async () => {
      await index.upsert([doc('a', 'red fox')]);
      const { terms, attainable } = await index.search('the zebra and the fox, foxes', { topK: 5 });
      expect(terms.map((term) => [term.stem, term.df])).toEqual([
        ['zebra', 0],
        ['fox', 1],
      ]);
      expect(attainable).toBeCloseTo((terms[1]?.idf ?? 0) * 2.2, 12);
    });

    it('orders ties by id and cuts them there', async () => {
      const ids = Array.from({ length: 40 }, (_, i) => `n${String((i * 17) % 40).padStart(2, '0')}`);
      await index.upsert(ids.map((id) => doc(id, 'same words')));
      const { hits } = await index.search('words', { topK: 7 });
      expect(hits.map((hit) => hit.id)).toEqual(['n00', 'n01', 'n02', 'n03', 'n04', 'n05', 'n06']);
    });

    it('keeps domains apart: documents, statistics and holders', async () => {
      await index.upsert([doc('a', 'fox'), doc('b', 'fox hound', { domain: 'e' }), doc('c', 'fox', { domain: 'e' })]);
      const alone = await index.search('fox', { topK: 5, domains: ['d'] });
      expect(alone).toMatchObject({ documents: 1, terms: [{ df: 1 }] });
      expect(alone.hits.map((hit) => hit.id)).toEqual(['a']);
      expect((await index.search('fox', { topK: 5, domains: ['d', 'e', 'd'] })).documents).toBe(3);
      expect((await index.search('fox', { topK: 5, domains: ['none'] })).hits).toEqual([]);
      expect((await index.search('fox', { topK: 5, domains: [] })).documents).toBe(0);
      expect(await index.containing('e', analyse('fox'))).toEqual(['b', 'c']);
      expect(await index.containing('none', analyse('fox'))).toEqual([]);
      expect(await index.count('e')).toBe(2);
      expect(await index.count()).toBe(3);
    });

    it('replaces a document of the same id, also into another domain', async () => {
      await index.upsert([doc('a', 'fox'), doc('a', 'hound')]);
      await index.upsert([doc('a', 'badger', { domain: 'e' })]);
      expect((await index.search('fox hound', { topK: 5 })).hits).toEqual([]);
      expect((await index.search('badger', { topK: 5, domains: ['e'] })).hits).toHaveLength(1);
      expect(await index.count('d')).toBe(0);
      expect(await index.count()).toBe(1);
    });

    it('scores given documents as the search does, and 0 without a match', async () => {
      await index.upsert([
        doc('a', 'red fox'),
        doc('b', 'fox fox'),
        doc('c', 'rose'),
        doc('e', 'fox', { domain: 'e' }),
      ]);
      const { hits } = await index.search('red fox', { topK: 5, domains: ['d'] });
      const scores = await index.score('red fox', ['a', 'b', 'c', 'e', 'unknown'], ['d']);
      for (const hit of hits) expect(scores.get(hit.id)).toBe(hit.score);
      expect([scores.get('c'), scores.get('e'), scores.get('unknown')]).toEqual([0, 0, 0]);
    });

    it('answers empty questions and empty lists with nothing', async () => {
      await index.upsert([doc('a', ''), doc('b', 'the of and')]);
      await index.upsert([]);
      await index.delete([]);
      await index.delete(['unknown']);
      expect(await index.search('', { topK: 5 })).toEqual({ hits: [], attainable: 0, terms: [], documents: 2 });
      expect((await index.search('fox', { topK: 0 })).hits).toEqual([]);
      expect(await index.containing('d', [])).toEqual([]);
      expect(await index.containingEach('d', [])).toEqual([]);
      expect((await index.score('fox', ['a'])).get('a')).toBe(0);
    });

    it('need not list all documents of a frequent list, but tells that they are more', async () => {
      await index.upsert(['a', 'b', 'c', 'e'].map((id) => doc(id, id === 'e' ? 'grey fox' : 'red fox')));
      const [frequent, rare] = await index.containingEach('d', [analyse('fox'), analyse('grey fox')], { most: 2 });
      expect(frequent!.length).toBeGreaterThan(2);
      expect(['a', 'b', 'c', 'e']).toEqual(expect.arrayContaining(frequent!));
      expect(rare).toEqual(['e']);
    });

    it('counts the documents that hold all stems, up to one more than asked for', async () => {
      await index.upsert(['a', 'b', 'c', 'e'].map((id) => doc(id, id === 'e' ? 'grey fox' : 'red fox')));
      await index.upsert([{ ...doc('other', 'grey fox'), domain: 'e' }]);
      const lists = [analyse('fox'), analyse('grey fox'), analyse('hound'), [], analyse('red fox')];
      expect(await index.countContaining('d', lists, { most: 2 })).toEqual([3, 1, 0, 0, 3]);
      expect(await index.countContaining('d', lists, { most: 100 })).toEqual([4, 1, 0, 0, 3]);
      expect(await index.countContaining('none', lists, { most: 2 })).toEqual([0, 0, 0, 0, 0]);
      await index.delete(['a', 'e']);
      expect(await index.countContaining('d', lists, { most: 100 })).toEqual([2, 0, 0, 0, 2]);
    });

    it('holds long documents and odd characters', async () => {
      const long = `${'fox '.repeat(70_000)} hound`;
      await index.upsert([doc('a"\\\u{1f600}', long), doc('b', 'naïve Łódź 東京 C++ 𝒳 x’s "quoted" back\\slash')]);
      expect((await index.search('hound', { topK: 5 })).hits.map((hit) => hit.id)).toEqual(['a"\\\u{1f600}']);
      for (const word of ['naive', 'lodz', '京', 'c++']) {
        expect((await index.search(word, { topK: 5 })).hits.map((hit) => hit.id)).toEqual(['b']);
      }
    });

    it('lists the ids that it holds, a page at a time', async () => {
      await index.upsert(['c', 'a', 'e', 'b', 'd'].map((id) => doc(id, 'fox')));
      await index.delete(['b']);
      expect(await index.list({ limit: 3 })).toEqual(['a', 'c', 'd']);
      expect(await index.list({ limit: 3, after: 'd' })).toEqual(['e']);
      expect(await index.list({ limit: 3, after: 'e' })).toEqual([]);
    });

    it('equals the memory index after any sequence of writes', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 12 }), queries, async (steps, requested) => {
          await index.disconnect();
          await contract.close?.();
          index = await contract.open();
          const memory = new MemoryTextIndex();
          for (const { docs, removed } of steps) {
            for (const one of [index, memory]) {
              if (removed.length > 0) await one.delete(removed);
              await one.upsert(docs);
            }
            await expectSame(index, memory, requested);
          }
        }),
        { numRuns: contract.runs ?? 60 },
      );
    });

    it('forgets exactly: what remains scores as if nothing else had ever been there', async () => {
      await fc.assert(
        fc.asyncProperty(docs, docs, queries, async (kept, forgotten, requested) => {
          await index.disconnect();
          await contract.close?.();
          index = await contract.open();
          const others = forgotten.map((one) => ({ ...one, id: `x${one.id}` }));
          await index.upsert(others.slice(0, 5));
          await index.upsert(kept);
          await index.upsert(others);
          await index.delete(others.map((one) => one.id));
          const alone = new MemoryTextIndex();
          await alone.upsert(kept);
          await expectSame(index, alone, requested);
        }),
        { numRuns: contract.runs ?? 60 },
      );
    });

    const { write } = contract;
    if (write === undefined) return;

    it('sees its own transaction in containing, and nobody else does before the commit', async () => {
      await index.upsert([doc('a', 'red fox')]);
      const fox = analyse('fox');
      await write(async (scope) => {
        await index.upsert([doc('b', 'grey fox'), doc('c', 'grey wolf')], scope);
        expect(await index.containing('d', fox, scope)).toEqual(['a', 'b']);
        await index.delete(['a'], scope);
        expect(await index.containing('d', fox, scope)).toEqual(['b']);
        expect(await index.containingEach('d', [fox, analyse('grey'), analyse('grey fox'), []], { scope })).toEqual([
          ['b'],
          ['b', 'c'],
          ['b'],
          [],
        ]);
      });
      expect(await index.containing('d', fox)).toEqual(['b']);
      expect((await index.search('fox', { topK: 5 })).hits.map((hit) => hit.id)).toEqual(['b']);
    });

    it('forgets what a failed transaction did, however often it looked', async () => {
      await index.upsert([doc('a', 'red fox')]);
      for (const word of ['fox', 'wolf', 'fox']) {
        const failed = write(async (scope) => {
          await index.upsert([doc('b', `grey ${word}`), doc('a', 'nothing')], scope);
          await index.containing('d', analyse(word), scope);
          await index.search(word, { topK: 5 });
          throw new Error('no');
        });
        await expect(failed).rejects.toThrow('no');
        expect((await index.search('grey', { topK: 5 })).hits).toEqual([]);
        expect((await index.search('fox', { topK: 5 })).hits.map((hit) => hit.id)).toEqual(['a']);
      }
      await write(async (scope) => {
        expect(await index.containing('d', analyse('fox'), scope)).toEqual(['a']);
        await index.upsert([doc('z', 'grey')], scope);
        expect(await index.containing('d', ['grey'], scope)).toEqual(['z']);
      });
      expect((await index.search('grey', { topK: 5 })).hits.map((hit) => hit.id)).toEqual(['z']);
    });
  });
}

const WORDS = ['fox', 'foxes', 'hound', 'red', 'grey', 'runs', 'garden', 'rose', 'wolf', 'the', 'C++', '3.5', 'Éclair'];
const words = fc.array(fc.constantFrom(...WORDS), { maxLength: 8 }).map((some) => some.join(' '));
const oneDoc = fc.record({
  id: fc.integer({ min: 0, max: 30 }).map((n) => `n${n}`),
  domain: fc.constantFrom('d', 'e', 'f'),
  title: fc.oneof({ weight: 3, arbitrary: fc.constant('') }, { weight: 1, arbitrary: words }),
  text: words,
});
const docs = fc.array(oneDoc, { maxLength: 40 });
const step = fc.record({
  docs,
  removed: fc.array(
    oneDoc.map((one) => one.id),
    { maxLength: 15 },
  ),
});
const queries = fc.array(
  fc.record({
    query: words,
    topK: fc.integer({ min: 1, max: 12 }),
    domains: fc.option(fc.subarray(['d', 'e', 'f', 'none']), { nil: undefined }),
  }),
  { minLength: 1, maxLength: 4 },
);

/** Same hits in the same order, same scores, same statistics, same holders. */
export async function expectSame(
  index: TextIndex,
  reference: TextIndex,
  requested: ReadonlyArray<{ query: string; topK: number; domains: string[] | undefined }>,
): Promise<void> {
  expect(await index.count()).toBe(await reference.count());
  for (const { query, topK, domains } of requested) {
    const options = domains === undefined ? { topK } : { topK, domains };
    const found = await index.search(query, options);
    const expected = await reference.search(query, options);
    expect(found.hits.map((hit) => hit.id)).toEqual(expected.hits.map((hit) => hit.id));
    for (const [i, hit] of found.hits.entries()) expect(hit.score).toBeCloseTo(expected.hits[i]?.score ?? 0, 9);
    expect({ ...found, hits: [] }).toEqual({ ...expected, hits: [] });
    const ids = ['n1', 'n2', 'n30'];
    expect(await index.score(query, ids, domains)).toEqual(await reference.score(query, ids, domains));
    for (const domain of domains ?? ['d']) {
      const stems = analyse(query);
      const holders = await reference.containing(domain, stems);
      expect(await index.containing(domain, stems)).toEqual(holders);
      expect(await index.countContaining(domain, [stems], { most: 1000 })).toEqual([holders.length]);
      expect(await index.count(domain)).toBe(await reference.count(domain));
    }
  }
}
