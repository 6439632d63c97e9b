import { expect, it } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { Ledger } from '../../src/ledger/ledger.js';
import { keyInfos } from '../../src/ledger/read/read-keys.js';
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
  const domains = new Map((await domainRows(store.db)).map(({ ref, name }) => [ref, name]));
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
