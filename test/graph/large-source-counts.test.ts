import { expect, it } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { Ledger } from '../../src/ledger/ledger.js';
import { pendingWarningsOf } from '../../src/ledger/read/sources/read-sources.js';
import { sourceCounts } from '../../src/ledger/read/sources/source-counts.js';
import { D, source } from '../contracts/graph/fixture.js';
import { watchedReads } from './watched-reads.js';

it('what a source of thousands of edges comes to is read in small statements', async () => {
  const store = await openSqlite(':memory:');
  const ledger = new Ledger(store);
  const edge = (from: string, to: string) => ({ source: from, target: to, relation: 'USES' });
  const names = Array.from({ length: 60 }, (_, i) => `Part ${i}`);
  const joined = names.flatMap((from) => names.map((to) => edge(from, to)));
  // Of two names for the same node the edges are one edge, wherever they stand in the source.
  const again = names.map((from) => edge(from.toUpperCase(), 'Part 1'));
  const pending = Array.from({ length: 3000 }, (_, i) => edge('Part 0', `Missing ${i % 30}`));
  const large = source('large', {
    concepts: names.map((name) => ({ name })),
    edges: [...joined, ...pending.map((one, i) => ({ ...one, relation: `R${i}` })), ...again],
  });
  const small = source('small', { edges: [edge('Part 2', 'Part 3'), edge('Part 2', 'Nowhere')] });
  const deltas = await ledger.ingestManifests([large, small]);
  const sources = await store.db.selectFrom('source').select(['ref', 'key']).orderBy('key').execute();
  const refs = sources.map(({ ref }) => ref);
  const { db, rows } = watchedReads(store.db);
  const counts = await sourceCounts(db, refs);
  expect(refs.map((ref) => counts.get(ref)!.edges)).toEqual([3600, 1]);
  const warnings = await pendingWarningsOf(db, refs);
  const lines = names.slice(0, 20).map((_, i) => `100 edges are waiting for "Missing ${i}", which does not exist`);
  expect(warnings.get(refs[0]!)).toEqual([
    ...lines.map((line) => expect.stringContaining(line)),
    'Edges are waiting for 10 more names that do not exist yet.',
  ]);
  expect(warnings.get(refs[1]!)).toEqual([expect.stringContaining('1 edge is waiting for "Nowhere"')]);
  expect(deltas.map((delta) => delta.warnings)).toEqual(refs.map((ref) => warnings.get(ref)));
  expect(Math.max(...rows)).toBeLessThanOrEqual(1000);
  expect((await ledger.listSources({ domain: D })).map((one) => one.edges).sort()).toEqual([1, 3600]);
  await store.close();
});
