import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { InMemoryBackend } from '../../src/backends/graph/memory.js';
import { findNodes, recordsOfSource } from '../../src/ledger/read/read-nodes.js';
import { conceptsOfSource } from '../../src/ledger/read/sources/read-sources.js';
import { passage, source } from '../contracts/graph/fixture.js';
import { watchedReads } from './watched-reads.js';

const MANY = 2500;
/** Rows that one statement may read. */
const PAGE = 1000;

let graph: InMemoryBackend;
let large: string;
beforeAll(async () => {
  graph = new InMemoryBackend();
  await graph.connect();
  const numbers = Array.from({ length: MANY }, (_, i) => i);
  const delta = await graph.ingestManifest(
    source('large', {
      domain: 'd',
      concepts: numbers.map((i) => ({ name: `Thing ${i}` })),
      passages: numbers.map((i) => passage(`p${i}`, { titles: [`T${i}`], order: Math.floor(i / 2) })),
    }),
  );
  large = delta.source_id;
  await graph.ingestManifest(source('small', { domain: 'e', concepts: [{ name: 'Thing 1' }] }));
});
afterAll(async () => {
  await graph.disconnect();
  await graph.store.close();
});

it('passages of a large source are read in pages, whole and in order', async () => {
  const { db, rows } = watchedReads(graph.store.db, 'title');
  const found = await recordsOfSource(db, large);
  const places = new Map(Array.from({ length: MANY }, (_, i) => [`d:p${i}`, Math.floor(i / 2)] as const));
  const order = [...places.keys()].sort((a, b) => places.get(a)! - places.get(b)! || (a < b ? -1 : 1));
  expect(found.map(({ id }) => id)).toEqual(order);
  expect(Math.max(...rows)).toBeLessThanOrEqual(PAGE);
  expect(await recordsOfSource(db, 'none')).toEqual([]);
});

it('concepts of a large source are read in pages, whole and in order', async () => {
  const { db, rows } = watchedReads(graph.store.db, 'id');
  const found = await conceptsOfSource(db, large);
  expect([found.length, found]).toEqual([MANY, found.toSorted()]);
  expect(Math.max(...rows)).toBeLessThanOrEqual(PAGE);
  expect(await conceptsOfSource(db, 'none')).toEqual([]);
});

it('nodes are found in pages, whole and in order, however few a filter lets through', async () => {
  const { db, rows } = watchedReads(graph.store.db, 'id');
  const all = (await findNodes(db, {})).map(({ id }) => id);
  expect([all.length, all]).toEqual([2 * MANY + 1, all.toSorted()]);
  const things = await findNodes(db, { domain: 'd', kind: 'concept' });
  expect(things.map(({ id }) => id)).toEqual(all.filter((id) => id.startsWith('d:') && !id.startsWith('d:p')));
  for (const limit of [0, 1, 999, 1000, 1001, 2500, 2501]) {
    for (const filter of [{ domain: 'd' }, { domain: 'd', kind: 'concept' as const }]) {
      const whole = (await findNodes(db, filter)).map(({ id }) => id);
      const after = whole[10]!;
      expect((await findNodes(db, { ...filter, limit })).map(({ id }) => id)).toEqual(whole.slice(0, limit));
      const rest = (await findNodes(db, { ...filter, limit, after })).map(({ id }) => id);
      expect(rest).toEqual(whole.slice(11, 11 + limit));
    }
  }
  expect((await findNodes(db, { pattern: 'Thing 1' })).length).toBe(1111 + 1);
  expect((await findNodes(db, { pattern: 'thing 2499' })).map(({ name }) => name)).toEqual(['Thing 2499']);
  expect(await findNodes(db, { domain: 'none' })).toEqual([]);
  expect(Math.max(...rows)).toBeLessThanOrEqual(PAGE);
});
