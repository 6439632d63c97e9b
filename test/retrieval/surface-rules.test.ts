import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Kysely } from 'kysely';
import { EmbeddedBackend } from '../../src/backends/graph/embedded.js';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { Database } from '../../src/backends/store/schema.js';
import type { Store } from '../../src/backends/store/scope.js';
import { seededRandom } from '../../src/core/random.js';
import { surfaceRules } from '../../src/retrieval/present/surface-rules.js';
import { D, id, source } from '../contracts/graph/fixture.js';
import { watchedReads } from '../graph/watched-reads.js';

const NAMES = ['Hub', 'Wide', ...Array.from({ length: 12 }, (_, i) => `Item ${i}`)];
const random = seededRandom('surface');
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

let store: Store;
let graph: EmbeddedBackend;
beforeAll(async () => {
  store = await openSqlite(':memory:');
  graph = new EmbeddedBackend(store);
  const items = NAMES.slice(2);
  // Thousands touch the hub, some hundred the wide one, a few each item; some touch several of them.
  const rules = Array.from({ length: 2600 }, (_, i) => ({
    id: `r${(i * 7) % 2600}`,
    text: `Rule ${i} holds.`,
    concepts:
      i < 2200 ? (i % 9 === 0 ? ['Hub', pick(items)] : ['Hub']) : i < 2550 ? ['Wide', pick(items)] : [pick(items)],
  }));
  const edges = Array.from({ length: 40 }, (_, i) => ({
    source: pick(items),
    target: pick(NAMES),
    relation: i % 2 === 0 ? 'REQUIRES' : 'NEAR',
    properties: { n: i },
  }));
  await graph.ingestManifest(source('a', { concepts: NAMES.map((name) => ({ name })), rules, edges }));
});
afterAll(() => store.close());

/** The same from all rules there are. */
async function expected(items: ReadonlyArray<{ readonly id: string; readonly score: number }>) {
  const scores = new Map(items.map((item) => [item.id, item.score]));
  const all = await graph.getRules({ domains: [D], include_derived: true });
  return all
    .flatMap((rule) => {
      const touched = rule.source_concepts.flatMap((one) => scores.get(one) ?? []);
      return touched.length === 0 ? [] : [{ id: rule.id, relevance: Math.max(...touched) }];
    })
    .sort((a, b) => b.relevance - a.relevance || (a.id < b.id ? -1 : 1))
    .slice(0, 20);
}

describe('rules shown with a query', () => {
  it('are the best of all that touch the items, however many touch one of them', async () => {
    for (let round = 0; round < 60; round += 1) {
      const chosen = NAMES.filter(() => random() < [0.15, 0.5, 0.9][round % 3]!);
      // Few different scores, so that many are equal.
      const items = chosen.map((name) => ({ id: id(name), score: Math.ceil(random() * 6) / 10 }));
      const shown = await surfaceRules(graph, items, [D]);
      expect(shown.map(({ id, relevance }) => ({ id, relevance }))).toEqual(await expected(items));
    }
  });

  it('are found in small reads', async () => {
    const { db, rows } = watchedReads(store.db as Kysely<Database>);
    const watched = new EmbeddedBackend(Object.assign(Object.create(store) as Store, { db }));
    const items = NAMES.map((name, i) => ({ id: id(name), score: 1 / (i + 1) }));
    expect(await surfaceRules(watched, items, [D])).toHaveLength(20);
    expect(Math.max(...rows)).toBeLessThanOrEqual(1000);
  });
});
