import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { Store } from '../../src/backends/store/scope.js';
import { type PostingsOptions, PostingsTextIndex } from '../../src/backends/text/postings.js';
import { textContract } from '../contracts/text.contract.js';

function contract(name: string, options: PostingsOptions, onDisk: boolean): void {
  let store: Store;
  let directory: string | undefined;
  textContract({
    name,
    open: async () => {
      directory = onDisk ? await mkdtemp(join(tmpdir(), 'text-')) : undefined;
      store = await openSqlite(directory === undefined ? ':memory:' : join(directory, 'store.db'));
      const index = new PostingsTextIndex(store, options);
      await index.connect();
      return index;
    },
    close: async () => {
      await store.close();
      if (directory !== undefined) await rm(directory, { recursive: true });
    },
    write: (work) => store.write(work),
    runs: onDisk ? 10 : 40,
  });
}

contract('postings in memory', {}, false);
contract('postings on disk', {}, true);
contract('postings that flush at every write', { flush: { postings: 1, writes: 1 } }, false);
contract(
  'postings on disk that flush at every other write, with hardly a cache',
  {
    flush: { postings: 60, writes: 2 },
    cacheBytes: 2000,
  },
  true,
);

it('reads no more ids of a frequent list than tell that it is frequent', async () => {
  const store = await openSqlite(':memory:');
  const index = new PostingsTextIndex(store);
  await index.connect();
  await index.upsert(
    Array.from({ length: 30 }, (_, i) => ({ id: `d:${i}`, domain: 'd', title: '', text: `fox ${i}` })),
  );
  const [frequent, rare] = await index.containingEach('d', [['fox'], ['fox', '7']], { most: 8 });
  expect(frequent).toHaveLength(9);
  expect(rare).toEqual(['d:7']);
  expect((await index.containingEach('d', [['fox']]))[0]).toHaveLength(30);
  await store.close();
});
