import { describe, expect, it } from '@jest/globals';
import type { Kysely } from 'kysely';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { Database } from '../../src/backends/store/schema.js';
import type { EdgeTemplate } from '../../src/core/derive-rules.js';
import { SvcError } from '../../src/core/errors.js';
import { conceptId } from '../../src/core/ids.js';
import type { Manifest } from '../../src/core/model.js';
import { seededRandom } from '../../src/core/random.js';
import { Ledger } from '../../src/ledger/ledger.js';
import { DerivedRules } from '../../src/ledger/read/derived/derived-rules.js';
import { domainRows } from '../../src/ledger/read/read-nodes.js';
import { source } from '../contracts/graph/fixture.js';

const template = (relation: string): EdgeTemplate => ({
  id: `${relation}:plain`,
  relation,
  variant: 'default',
  severity: 'info',
  category: relation,
  text: `{source} ${relation} {target}.`,
});
const templates = [template('uses'), template('requires')];
const DOMAINS = ['d', 'd b', 'd2'];
const EVERYTHING = { offset: 0, limit: 100_000 };

type Edge = Manifest['edges'][number];

/** A graph of this many concepts and three times as many edges in each domain. */
async function fill(ledger: Ledger, concepts: number): Promise<string[]> {
  const names = Array.from({ length: concepts }, (_, i) => `Part ${i}`);
  for (const domain of DOMAINS) {
    const edges = names.flatMap((name, i) =>
      [1, 7, 30].map((step) => ({ source: name, target: names[(i + step) % concepts]!, relation: 'USES' })),
    );
    await ledger.ingestManifest(source('base', { domain, concepts: names.map((name) => ({ name })), edges }));
  }
  return names;
}

describe('the index of derived rules', () => {
  it('is after every write what reading all edges makes of them', async () => {
    const seed = process.env.SEED ?? 'rules';
    const steps = Number(process.env.STEPS ?? 60);
    const random = seededRandom(seed);
    const below = (limit: number): number => Math.floor(random() * limit);
    const store = await openSqlite(':memory:');
    const ledger = new Ledger(store, { templates });
    const names = await fill(ledger, 120);
    const name = (): string => names[below(names.length)]!;
    const edge = (): Edge => ({
      source: name(),
      target: name(),
      relation: ['uses', 'requires', 'likes'][below(3)]!,
      confidence: below(10) / 10,
      ...(below(4) === 0 ? { properties: { provenance: 'row' } } : {}),
    });
    const write = async (): Promise<unknown> => {
      const domain = DOMAINS[below(3)]!;
      const key = `small ${below(4)}`;
      switch (below(7)) {
        case 0: {
          const old = (await ledger.listSources({ domain })).find((found) => found.key === key);
          return old && ledger.forgetSource(old.source_id);
        }
        case 1: {
          // With the name of the concept that it uses, the edge between the two says nothing.
          const at = below(names.length);
          const body = {
            type: 'change_concept',
            id: conceptId(domain, names[at]!),
            name: names[(at + 1) % 120]!,
          } as const;
          return ledger.edits.make(domain, { body, before: {} });
        }
        case 2: {
          const [from_id, into_id] = [conceptId(domain, name()), conceptId(domain, name())];
          return ledger.merges.make(domain, { from_id, into_id, method: 'manual', score: 1 });
        }
        case 3: {
          const [merge] = (await ledger.merges.list({ domain, limit: 100 })).filter(
            ({ undone_at }) => undone_at === null,
          );
          return merge && ledger.merges.undo(merge.merge_id);
        }
        case 4: {
          const { source: from, target: to, relation } = edge();
          const type = below(2) === 0 ? 'remove_edge' : 'add_edge';
          const ends = { source: conceptId(domain, from), target: conceptId(domain, to) };
          const body = { type, ...ends, relation: relation.toUpperCase() } as const;
          return ledger.edits.make(domain, { body, before: {} });
        }
        case 5:
          return below(5) === 0 ? ledger.deleteDomain(domain) : undefined;
        default:
          return ledger.ingestManifest(source(key, { domain, edges: Array.from({ length: 1 + below(4) }, edge) }));
      }
    };
    await ledger.pageOfRules({}, EVERYTHING);
    for (let step = 0; step < steps; step += 1) {
      await write().catch((error: unknown) => {
        if (!(error instanceof SvcError)) throw error;
      });
      const read = await new Ledger(store, { templates }).pageOfRules({}, EVERYTHING);
      expect({ seed, step, page: await ledger.pageOfRules({}, EVERYTHING) }).toEqual({ seed, step, page: read });
    }
    await store.close();
  }, 120_000);

  it('reads no more than what a write touched and the way to its place', async () => {
    const store = await openSqlite(':memory:');
    const ledger = new Ledger(store, { templates });
    await fill(ledger, 400);
    let rows = 0;
    const counting: Kysely<Database> = store.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        rows += result.rows.length;
        return result;
      },
    });
    const derived = new DerivedRules(counting, new Map(templates.map((one) => [one.relation.toUpperCase(), one])));
    const entries = async () => derived.entries(await ledger.version(), await domainRows(store.db));
    expect(await entries()).toHaveLength(3600);
    expect(rows).toBeGreaterThan(3600);
    for (const relation of ['requires', 'uses']) {
      const edges = [{ source: 'Part 5', target: 'Part 300', relation }];
      await ledger.ingestManifest(source(relation, { domain: 'd', edges }));
      rows = 0;
      await entries();
      expect(rows).toBeLessThan(100);
    }
    expect(await entries()).toHaveLength(3602);
    await store.close();
  });
});
