import { expect, jest, test } from '@jest/globals';
import SqliteDatabase from 'better-sqlite3';
import { conceptId } from '../../src/core/ids.js';
import { DOMAIN, world } from '../edits/world.js';
import { openService, type TestService } from './harness.js';

const id = (name: string) => conceptId(DOMAIN, name);
const EDITS: readonly object[] = [
  { type: 'change_concept', id: id('Pump'), description: 'Keeps the water low.' },
  { type: 'change_concept', id: id('Pump'), name: 'Water Engine' },
  { type: 'change_rule', rule_id: 'rule:check', text: 'The Guild must check each Pump twice.' },
  { type: 'merge', from_id: id('Guild'), into_id: id('Helm') },
  { type: 'remove_session', session_id: 'talk' },
];

/** Returns whether a plan reads a table by one column first and then, for each of its rows, the whole list it was given. */
function readsListForEachRow(plan: readonly string[]): boolean {
  let searched = false;
  for (const step of plan) {
    if (
      /^(?:UNION|LEFT|RIGHT|MERGE|COMPOUND|LEFT-MOST|LIST SUBQUERY|SCALAR SUBQUERY|CO-ROUTINE|MATERIALIZE)/u.test(step)
    ) {
      searched = false;
    } else if (/^SCAN json_each/u.test(step)) {
      if (searched) return true;
    } else if (/^(?:SEARCH|SCAN)/u.test(step)) searched = true;
  }
  return false;
}

/** Tables that grow with what people store. */
const LARGE = 'concept|edge|key|mention|node|passage|sentence_vector|source|source_row|text_doc|vector_row';

/** Returns whether a plan reads one of the large tables from its beginning to its end. */
function readsLargeTable(source: string, plan: readonly string[]): boolean {
  const named = source.matchAll(new RegExp(`\\b(?:from|join)\\s+"?(${LARGE})"?(?:\\s+(?:as\\s+)?"?(\\w+)"?)?`, 'giu'));
  const names = new Set([...named].flatMap(([, table, alias]) => [table, alias]));
  return plan.some((step) => {
    const scanned = /^SCAN (\w+)/u.exec(step)?.[1];
    return scanned !== undefined && names.has(scanned);
  });
}

/** Returns the plans of the statements that a service prepares meanwhile, by their text. */
async function plansOf(work: (service: TestService) => Promise<void>): Promise<Map<string, readonly string[]>> {
  const plans = new Map<string, readonly string[]>();
  const original = SqliteDatabase.prototype.prepare;
  const spy = jest.spyOn(SqliteDatabase.prototype, 'prepare').mockImplementation(function (
    this: SqliteDatabase.Database,
    source: string,
  ) {
    if (/^\s*(?:select|with|insert|update|delete)\b/iu.test(source) && !plans.has(source)) {
      const unknown = Array.from(source.matchAll(/\?/gu), () => null);
      const steps = original.call(this, `explain query plan ${source}`).all(unknown) as Array<{ detail: string }>;
      plans.set(
        source,
        steps.map((step) => step.detail),
      );
    }
    return original.call(this, source);
  } as typeof original);
  try {
    const service = await openService();
    try {
      await work(service);
    } finally {
      await service.close();
    }
  } finally {
    spy.mockRestore();
  }
  return plans;
}

test('no statement reads the list that it is given once for each row of a domain', async () => {
  const plans = await plansOf(async (service) => {
    await world(service);
    for (const edit of EDITS) {
      const { status, body } = await service.post('/v1/edits', { domain: DOMAIN, ...edit });
      expect([status, body]).toEqual([200, expect.anything()]);
    }
    await world(service, 'new ');
    await service.post('/v1/query', { context: 'What must the Guild check?', domains: [DOMAIN] });
    await service.post('/v1/rules', {});
  });
  const given = [...plans].filter(([source]) => source.includes('json_each'));
  expect(given.length).toBeGreaterThan(50);
  expect(given.filter(([, plan]) => readsListForEachRow(plan))).toEqual([]);
});

test('writing, asking and forgetting read no large table as a whole', async () => {
  const plans = await plansOf(async (service) => {
    await world(service);
    for (const mode of ['auto', 'graph', 'vec']) {
      await service.post('/v1/query', { context: 'What must the Guild check?', domains: [DOMAIN], mode });
    }
    await service.get('/v1/domains');
    await service.get(`/v1/documents?domain=${DOMAIN}`);
    const { documents } = (await service.get(`/v1/documents?domain=${DOMAIN}`)).body;
    for (const { source_id } of documents) await service.delete(`/v1/documents/${source_id}`);
    await service.post('/v1/query', { context: 'What must the Guild check?' });
  });
  expect(plans.size).toBeGreaterThan(100);
  const listing = [...plans].filter(([source]) => /content_hash.*from source s.*order by s\.id/su.test(source));
  expect(listing.length).toBeGreaterThan(0);
  for (const [source, plan] of listing) {
    expect([source, plan.join(' ')]).toEqual([source, expect.not.stringMatching(/TEMP B-TREE|source_by_key/u)]);
  }
  expect([...plans].filter(([source, plan]) => readsLargeTable(source, plan))).toEqual([]);
});

test('reading a database as a source reads no large table as a whole', async () => {
  const plans = await plansOf(async (service) => {
    const shop = service.file('shop.db', '');
    const change = (statement: string): void => {
      const db = new SqliteDatabase(shop);
      db.exec(statement);
      db.close();
    };
    change(`create table makers (id integer primary key, name text, updated_at text);
      create index makers_updated on makers (updated_at);
      create table parts (id integer primary key, name text, maker integer references makers, updated_at text);
      create index parts_updated on parts (updated_at);
      create table old (id integer primary key, name text);
      insert into makers values (1, 'Left', '2026-01-01'), (2, 'Right', '2026-01-01');
      insert into parts values (1, 'Bolt', 1, '2026-01-01'), (2, 'Nut', 2, '2026-01-01');
      insert into old values (1, 'Cog')`);
    const source = { source_id: 'shop', connection_string: `sqlite:${shop}` };
    const succeed = async (path: string, body: object): Promise<void> => {
      expect(await service.post(path, body)).toMatchObject({ status: 200 });
    };
    await succeed('/v1/sources/connect', source);
    await succeed('/v1/sources/ingest-graph', { ...source, embed_catalog_tables: true });
    await succeed('/v1/sources/shop/sync', { mode: 'full' });
    change("update parts set name = 'Screw' where id = 1; delete from parts where id = 2; drop table old");
    await succeed('/v1/sources/shop/sync', { mode: 'incremental' });
    await succeed('/v1/sources/shop/forget', { table: 'makers', row: '1' });
    await succeed('/v1/sources/shop/forget', { table: 'makers' });
    await succeed('/v1/sources/shop/forget', {});
  });
  // Statements on the shop itself name its tables.
  const own = [...plans].filter(([source]) => !/\b(?:makers|parts|old)\b/u.test(source));
  expect(own.length).toBeGreaterThan(100);
  expect(own.filter(([source, plan]) => readsLargeTable(source, plan))).toEqual([]);
});
