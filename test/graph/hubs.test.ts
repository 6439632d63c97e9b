import { expect, it } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { Ledger } from '../../src/ledger/ledger.js';
import { D, id, source, templates } from '../contracts/graph/fixture.js';
import { watchedReads } from './watched-reads.js';

const SPOKES = 2500;

/** A ledger of one hub with edges to and from thousands of nodes, read through a store that notes the rows of statements. */
async function hub() {
  const store = await openSqlite(':memory:');
  const writing = new Ledger(store, { templates });
  const spokes = Array.from({ length: SPOKES }, (_, i) => `Spoke ${i}`);
  await writing.ingestManifest(
    source('hub', {
      concepts: ['Hub', ...spokes].map((name) => ({ name })),
      edges: spokes.flatMap((name, i) => [
        { source: 'Hub', target: name, relation: i % 2 === 0 ? 'REQUIRES' : 'USES', properties: { i } },
        { source: name, target: 'Hub', relation: 'REQUIRES' },
      ]),
    }),
  );
  const { db, rows } = watchedReads(store.db);
  const watched = new Proxy(store, { get: (of, name) => (name === 'db' ? db : of[name as keyof typeof of]) });
  return { store, ledger: new Ledger(watched, { templates }), rows };
}

it('edges and rules of a hub are read in small statements, the first ones in order', async () => {
  const { store, ledger, rows } = await hub();
  expect(await ledger.getEdges({ domain: D, limit: 20 })).toHaveLength(20);
  const all = await ledger.getEdges({ domain: D });
  const at = id('Hub');
  const from = all.filter((edge) => edge.source_id === at);
  const to = all.filter((edge) => edge.target_id === at);
  expect([from.length, to.length]).toEqual([SPOKES, SPOKES]);
  const rules = await ledger.getRules({ domains: [D] });
  expect(rules).toHaveLength(2 * SPOKES);
  expect(await ledger.getEdges({ source_id: at, limit: 20 })).toEqual(from.slice(0, 20));
  expect(await ledger.getEdges({ target_id: at, limit: 20 })).toEqual(to.slice(0, 20));
  expect(await ledger.getEdges({ source_id: at })).toEqual(from);
  expect(await ledger.getEdges({ target_id: at })).toEqual(to);
  expect(await ledger.getEdges({ among: [at, id('Spoke 7')] })).toHaveLength(2);
  expect(await ledger.getRules({ domains: [D], concept_ids: [at], limit: 20 })).toEqual(rules.slice(0, 20));
  expect(await ledger.getRules({ domains: [D], concept_ids: [at, id('Spoke 7')] })).toEqual(rules);
  expect(Math.max(...rows)).toBeLessThanOrEqual(2000);
  rows.length = 0;
  expect(await ledger.getEdges({ source_id: at, target_id: id('Spoke 7') })).toHaveLength(1);
  expect(rows).toEqual([1]);
  await store.close();
});

it('texts of the explicit rules of a hub are read in small statements', async () => {
  const store = await openSqlite(':memory:');
  const rules = Array.from({ length: SPOKES }, (_, i) => ({ text: `Always keep part ${i} away from the Hub.` }));
  await new Ledger(store).ingestManifest(source('hub', { concepts: [{ name: 'Hub' }], rules }));
  const { db, rows } = watchedReads(store.db, 'text');
  const watched = new Proxy(store, { get: (of, name) => (name === 'db' ? db : of[name as keyof typeof of]) });
  const found = await new Ledger(watched).getRules({ domains: [D], concept_ids: [id('Hub')] });
  expect(new Set(found.map(({ text }) => text))).toEqual(new Set(rules.map(({ text }) => text)));
  const ids = found.map((rule) => rule.id);
  expect(ids).toEqual([...ids].sort());
  expect(found.every(({ source_concepts: [only] }) => only === id('Hub'))).toBe(true);
  expect(Math.max(...rows)).toBeLessThanOrEqual(1000);
  await store.close();
});
