import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { Store } from '../../src/backends/store/scope.js';
import { MemoryTextIndex } from '../../src/backends/text/memory.js';
import { compact } from '../../src/backends/text/postings/compact.js';
import { PostingsTextIndex } from '../../src/backends/text/postings.js';
import { expectSame } from '../contracts/text.contract.js';
import { waitFor } from '../support/wait-for.js';

let directory: string;
let stores: Store[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'readers-'));
  stores = [await openSqlite(join(directory, 'store.db')), await openSqlite(join(directory, 'store.db'))];
});
afterEach(async () => {
  for (const store of stores) await store.close();
  await rm(directory, { recursive: true });
});

const write = fc.record({
  by: fc.integer({ min: 0, max: 1 }),
  docs: fc.array(
    fc.record({
      id: fc.integer({ min: 0, max: 40 }).map((n) => `n${n}`),
      domain: fc.constantFrom('d', 'e'),
      title: fc.constant(''),
      text: fc.array(fc.constantFrom('red', 'fox', 'hound', 'rose'), { maxLength: 5 }).map((some) => some.join(' ')),
    }),
    { maxLength: 8 },
  ),
  removed: fc.array(
    fc.integer({ min: 0, max: 40 }).map((n) => `n${n}`),
    { maxLength: 6 },
  ),
  look: fc.boolean(),
  sweep: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
});
const requested = [
  { query: 'red fox', topK: 6, domains: ['d'] },
  { query: 'fox hound rose', topK: 50, domains: undefined },
];

it('two stores on one file see each other’s writes at the next request, through flushes and sweeps', async () => {
  const memory = new MemoryTextIndex();
  const indexes = stores.map((store) => new PostingsTextIndex(store, { flush: { postings: 40, writes: 5 } }));
  await fc.assert(
    fc.asyncProperty(fc.array(write, { maxLength: 15 }), async (writes) => {
      for (const { by, docs, removed, look, sweep } of writes) {
        const index = indexes[by] as PostingsTextIndex;
        await index.delete(removed);
        await index.upsert(docs);
        await memory.delete(removed);
        await memory.upsert(docs);
        if (sweep) await compact(stores[by] as Store);
        if (look) await expectSame(indexes[1 - by] as PostingsTextIndex, memory, requested);
      }
      for (const index of indexes) await expectSame(index, memory, requested);
      for (const store of stores) await expectSame(new PostingsTextIndex(store), memory, requested);
    }),
    { numRuns: 25 },
  );
});

it('a reader that slept through more writes than the log keeps starts again', async () => {
  const [writer, sleeper] = stores.map(
    (store) => new PostingsTextIndex(store, { flush: { postings: 50, writes: 20 } }),
  );
  const memory = new MemoryTextIndex();
  const doc = (i: number) => ({ id: `n${i % 50}`, domain: 'd', title: '', text: `red fox number${i % 7}` });
  for (let i = 0; i < 400; i += 1) {
    if (i === 3) await sleeper?.search('red', { topK: 5 });
    await writer?.upsert([doc(i)]);
    await memory.upsert([doc(i)]);
  }
  for (const index of [writer, sleeper, new PostingsTextIndex(stores[0] as Store)]) {
    await expectSame(index as PostingsTextIndex, memory, [{ query: 'red number3', topK: 60, domains: undefined }]);
  }
});

it('sweeping leaves every answer and removes the postings of the dead', async () => {
  const store = stores[0] as Store;
  const index = new PostingsTextIndex(store, { compactAt: 500 });
  const docs = Array.from({ length: 1200 }, (_, i) => ({
    id: `n${i}`,
    domain: 'd',
    title: '',
    text: `common word${i % 40} unique${i}`,
  }));
  await index.upsert(docs);
  const memory = new MemoryTextIndex();
  await memory.upsert(docs);
  await index.search('common word3', { topK: 5 });
  const removed = docs.slice(0, 900).map((doc) => doc.id);
  const bytes = async () =>
    (await store.db.selectFrom('text_segment').select('data').execute()).reduce((sum, row) => sum + row.data.length, 0);
  await index.delete(removed);
  await memory.delete(removed);
  await compact(store);
  const rows = await store.db.selectFrom('text_segment').select('term').execute();
  expect(rows.some((row) => row.term === 'unique7')).toBe(false);
  expect(await bytes()).toBeLessThan(300 * 4 * 4);
  expect(await store.db.selectFrom('text_meta').select('dead').executeTakeFirst()).toEqual({ dead: 0 });
  for (const one of [index, new PostingsTextIndex(store), new PostingsTextIndex(stores[1] as Store)]) {
    await expectSame(one, memory, [{ query: 'common word3 unique950', topK: 30, domains: ['d'] }]);
  }
  await index.disconnect();
});

describe('the words of a removed document', () => {
  const doc = (id: string, text: string) => ({ id, domain: 'd', title: '', text });
  /** Returns which of two words the store holds: one of a document that is removed, one of a document that stays. */
  const kept = async (store: Store): Promise<boolean[]> => {
    const logged = (await store.db.selectFrom('text_log').select('keys').execute()).map(({ keys }) => keys).join();
    const terms = (await store.db.selectFrom('text_segment').select('term').execute()).map(({ term }) => term);
    return ['hunter2', 'lamp'].map((word) => logged.includes(word) || terms.includes(word));
  };
  const remove = async (store: Store, purgeAfter?: number) => {
    const index = new PostingsTextIndex(store, purgeAfter === undefined ? {} : { purgeAfter });
    await index.connect();
    await index.upsert([doc('a', 'The password is hunter2.'), doc('b', 'The lamp stands here.')]);
    await index.delete(['a']);
    return index;
  };

  it('leave the store soon after', async () => {
    const store = stores[0] as Store;
    const index = await remove(store, 1);
    await waitFor(async () => expect(await kept(store)).toEqual([false, true]), { timeout: 10_000 });
    expect((await index.search('lamp', { topK: 5 })).hits).toMatchObject([{ id: 'b' }]);
    await index.disconnect();
  });

  it('leave it where the document says something else now', async () => {
    const store = stores[0] as Store;
    const index = new PostingsTextIndex(store, { purgeAfter: 1 });
    await index.connect();
    await index.upsert([doc('a', 'The password is hunter2.'), doc('b', 'The lamp stands here.')]);
    await index.upsert([doc('a', 'The password is elsewhere.')]);
    await waitFor(async () => expect(await kept(store)).toEqual([false, true]), { timeout: 10_000 });
    await index.disconnect();
  });

  it('are left to others by a process that only reads', async () => {
    const store = stores[0] as Store;
    const index = await remove(store);
    const reader = new PostingsTextIndex(store);
    await reader.connect();
    expect((await reader.search('lamp', { topK: 5 })).hits).toMatchObject([{ id: 'b' }]);
    await reader.disconnect();
    expect(await kept(store)).toEqual([true, true]);
    await index.disconnect();
    expect(await kept(store)).toEqual([false, true]);
  });

  it('leave it when the process ends, or else after the next start', async () => {
    const store = stores[0] as Store;
    const index = await remove(store);
    expect(await kept(store)).toEqual([true, true]);
    const next = new PostingsTextIndex(store, { purgeAfter: 1 });
    await next.connect();
    await waitFor(async () => expect(await kept(store)).toEqual([false, true]), { timeout: 10_000 });
    await next.disconnect();
    await index.upsert([doc('a', 'The password is hunter2.')]);
    await index.delete(['a']);
    expect(await kept(store)).toEqual([true, true]);
    await index.disconnect();
    expect(await kept(store)).toEqual([false, true]);
  });
});

it('an emptied domain leaves no segment behind and can be filled again', async () => {
  const store = stores[0] as Store;
  const index = new PostingsTextIndex(store, { flush: { postings: 1, writes: 1 } });
  const docs = Array.from({ length: 1500 }, (_, i) => ({
    id: `n${i}`,
    domain: 'd',
    title: '',
    text: `word${i} common`,
  }));
  await index.upsert(docs);
  await index.upsert([{ id: 'x', domain: 'e', title: '', text: 'common' }]);
  await index.delete(docs.map((doc) => doc.id));
  expect(await store.db.selectFrom('text_segment').select('term').execute()).toEqual([{ term: 'common' }]);
  expect((await index.search('common', { topK: 5 })).hits.map((hit) => hit.id)).toEqual(['x']);
  await index.upsert(docs.slice(0, 2));
  expect((await index.search('common', { topK: 5, domains: ['d'] })).hits.map((hit) => hit.id)).toEqual(['n0', 'n1']);
});

it('the same text again changes nothing, a changed one does', async () => {
  const store = stores[0] as Store;
  const index = new PostingsTextIndex(store);
  const doc = { id: 'a', domain: 'd', title: 'Fox', text: 'A red one.' };
  const version = async () =>
    (await store.db.selectFrom('text_meta').select('version').executeTakeFirstOrThrow()).version;
  await index.upsert([doc]);
  const before = await version();
  await index.upsert([doc]);
  expect(await version()).toBe(before);
  await index.upsert([{ ...doc, text: 'A grey one.' }]);
  expect(await version()).toBe(before + 1);
});

it('finds the lowest ids among very many ties', async () => {
  const index = new PostingsTextIndex(stores[0] as Store);
  const ids = Array.from({ length: 6000 }, (_, i) => `n${String((i * 2477) % 6000).padStart(4, '0')}`);
  await index.upsert(ids.map((id) => ({ id, domain: 'd', title: '', text: 'same words' })));
  const { hits } = await index.search('words', { topK: 3 });
  expect(hits.map((hit) => hit.id)).toEqual(['n0000', 'n0001', 'n0002']);
});
