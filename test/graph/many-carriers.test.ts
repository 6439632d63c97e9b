import { expect, it } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { Ledger } from '../../src/ledger/ledger.js';
import { keyInfos, passagesMentioning } from '../../src/ledger/read/read-keys.js';
import { domainRows } from '../../src/ledger/read/read-nodes.js';
import { D, mentions, passage, source } from '../contracts/graph/fixture.js';
import { watchedReads } from './watched-reads.js';

it('a key that thousands of nodes carry is looked up in small reads, as exactly as a rare one', async () => {
  const store = await openSqlite(':memory:');
  const ledger = new Ledger(store);
  const said = mentions('Summary');
  // Their ids come in another order than their numbers; every third mentions its own title.
  const titled = Array.from({ length: 2500 }, (_, i) =>
    passage(`t${(i * 7) % 2500}`, { titles: ['Summary'], order: i, ...(i % 3 === 0 ? { mentions: said } : {}) }),
  );
  const concepts = Array.from({ length: 2500 }, (_, i) => ({ id: `c${(i * 7) % 2500}`, name: 'Part' }));
  const others = [passage('other', { text: 'Summary of all.', mentions: said }), passage('one', { titles: ['Rare'] })];
  await ledger.ingestManifest(source('a', { concepts, passages: [...titled, ...others] }));
  const { db, rows } = watchedReads(store.db);
  const domains = await domainRows(store.db);
  const firstOf = (ids: readonly string[]): string[] => [...ids].sort().slice(0, 50);
  expect(await keyInfos(db, domains, ['summary', 'part', 'rare'])).toEqual([
    {
      domain: D,
      key: 'part',
      titles: 2500,
      aliases: 0,
      documentFrequency: 0,
      about: firstOf(concepts.map(({ id }) => `${D}:${id}`)),
    },
    { domain: D, key: 'rare', titles: 1, aliases: 0, documentFrequency: 1, about: ['d:one'] },
    {
      domain: D,
      key: 'summary',
      titles: 2500,
      aliases: 0,
      documentFrequency: 2501,
      about: firstOf(titled.map(({ id }) => id)),
    },
  ]);
  expect(Math.max(...rows)).toBeLessThanOrEqual(1000);
  await store.close();
});

it('passages that mention a key which thousands mention are read in small reads', async () => {
  const store = await openSqlite(':memory:');
  const ledger = new Ledger(store);
  const passages = Array.from({ length: 2500 }, (_, i) =>
    passage(`m${(i * 7) % 2500}`, { order: i, mentions: i % 5 === 0 ? mentions('Rome', 'Bob') : mentions('Rome') }),
  );
  await ledger.ingestManifest(source('a', { passages }));
  const { db, rows } = watchedReads(store.db);
  const [domain] = await domainRows(store.db, [D]);
  const ids = passages.map(({ id }) => id).sort();
  expect(await passagesMentioning(db, domain!.ref, ['rome'])).toEqual(ids);
  expect(await passagesMentioning(db, domain!.ref, ['bob', 'rome', 'none'])).toEqual(ids);
  expect(await passagesMentioning(db, domain!.ref, ['bob'])).toHaveLength(500);
  expect(Math.max(...rows)).toBeLessThanOrEqual(1000);
  await store.close();
});
