import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import SqliteDatabase from 'better-sqlite3';
import { indexDifferences } from '../../src/ingest/repair/differences.js';
import { type SourcesHarness, sourcesHarness } from './harness.js';

let harness: SourcesHarness;
let connection_string: string;

function change(...statements: readonly string[]): void {
  const db = new SqliteDatabase(connection_string.slice('sqlite:'.length));
  for (const statement of statements) db.exec(statement);
  db.close();
}

beforeEach(async () => {
  harness = await sourcesHarness();
  connection_string = `sqlite:${harness.directory}/own.db`;
  change(
    "create table gears (id integer primary key, name text check (name <> ''), teeth integer check (teeth > 5))",
    "insert into gears values (1, 'Crown wheel', 60)",
    "create table gear_types (id integer primary key, name text check (name <> ''))",
    "insert into gear_types values (1, 'Bevel')",
  );
});
afterEach(() => harness.close());

const ingestGraph = (more: object = {}) =>
  harness.call('source_ingest_graph', { source_id: 'own', connection_string, ...more });
const connect = (more: object = {}) => harness.call('source_connect', { source_id: 'own', connection_string, ...more });
const sync = (mode = 'full') => harness.call('source_sync', { source_id: 'own', mode });

/** Names of the concepts of a domain. */
const names = async (domain = 'own'): Promise<string[]> =>
  (await harness.service.graph.findNodes({ domain })).map((node) => node.name).sort();
/** Tables that the domain's rules are about. */
const ruled = async (domain = 'own'): Promise<string[]> =>
  (await harness.service.graph.getRules({ domains: [domain] })).map((rule) => rule.text.split('.')[0] ?? '').sort();

describe('a table that is gone', () => {
  it('goes with the next ingest_graph, with its rules and rows', async () => {
    await ingestGraph();
    expect(await names()).toEqual(['Bevel', 'gear_types', 'gears']);
    change('drop table gear_types');
    await ingestGraph();
    expect(await names()).toEqual(['gears']);
    expect(await ruled()).toEqual(['gears', 'gears']);
  });

  it('goes with the next sync too, where no sync had read it', async () => {
    await ingestGraph();
    change('drop table gear_types');
    await connect();
    await sync();
    expect(await names()).toEqual(['Crown wheel', 'gears']);
    expect(await ruled()).toEqual(['gears', 'gears']);
  });

  it('goes too where a view has its name now: views are not synced', async () => {
    await connect();
    await sync();
    change('alter table gear_types rename to kinds', 'create view gear_types as select * from kinds');
    expect(await sync()).toMatchObject({ errors: [] });
    expect(await names()).toEqual(['Bevel', 'Crown wheel', 'gears', 'kinds']);
  });

  it('stays with a sync of other tables, and goes with the next ingest_graph after a sync', async () => {
    await connect();
    await sync();
    change('drop table gear_types');
    await harness.call('source_sync', { source_id: 'own', tables: ['gears'] });
    expect(await names()).toEqual(['Bevel', 'Crown wheel', 'gear_types', 'gears']);
    await ingestGraph();
    expect(await names()).toEqual(['Crown wheel', 'gears']);
    expect(await sync('incremental')).toMatchObject({ rows_added: 0, rows_forgotten: 0, errors: [] });
  });
});

describe('a database in which no table is left', () => {
  it.each(['full', 'incremental'])('keeps what was read of it, and says what to check: a sync, %s', async (mode) => {
    await connect();
    await sync();
    const before = await names();
    change('drop table gears', 'drop table gear_types');
    const refused = { code: 'conflict', message: expect.stringMatching(/^own shows no table .* the 2 tables .* kept/) };
    await expect(sync(mode)).rejects.toMatchObject(refused);
    await expect(ingestGraph()).rejects.toMatchObject({ code: 'conflict' });
    expect(await names()).toEqual(before);
    await harness.call('source_forget', { source_id: 'own' });
    expect(await names()).toEqual([]);
    expect(await sync(mode)).toMatchObject({ tables_synced: 0, errors: [] });
  });
});

describe('a changed domain map', () => {
  it('leaves no copy in the former domain with ingest_graph alone', async () => {
    await ingestGraph();
    await ingestGraph({ domain_map: { gear_types: 'kinds' } });
    expect(await names('kinds')).toEqual(['Bevel', 'gear_types']);
    expect(await ruled('kinds')).toEqual(['gear_types']);
    expect(await names()).toEqual(['gears']);
    expect(await ruled()).toEqual(['gears', 'gears']);
    await ingestGraph({ domain_map: { '*': 'parts' } });
    expect(await names('kinds')).toEqual([]);
    expect(await names()).toEqual([]);
    expect(await names('parts')).toEqual(['Bevel', 'gear_types', 'gears']);
  });

  it('of ingest_graph, then of the source: the next sync moves the rows, and nothing is there twice', async () => {
    await connect();
    await sync();
    const domain_map = { '*': 'parts' };
    await ingestGraph({ domain_map });
    expect(await names('parts')).toEqual(['Bevel', 'gear_types', 'gears']);
    expect(await names()).toEqual(['Crown wheel']);
    await connect({ domain_map });
    await sync('incremental');
    expect(await names('parts')).toEqual(['Bevel', 'Crown wheel', 'gear_types', 'gears']);
    expect(await names()).toEqual([]);
  });

  it('of ingest_graph alone is undone by the next sync of the source', async () => {
    await connect();
    await sync();
    await ingestGraph({ domain_map: { '*': 'parts' } });
    await sync('incremental');
    expect(await names()).toEqual(['Bevel', 'Crown wheel', 'gear_types', 'gears']);
    expect(await ruled()).toEqual(['gear_types', 'gears', 'gears']);
    expect(await names('parts')).toEqual([]);
  });

  it('moves references into other databases', async () => {
    change('create table orders (id integer primary key, gear_id integer)');
    await harness.call('source_connect', { source_id: 'other', connection_string });
    change('drop table gear_types', 'drop table gears');
    await ingestGraph({ cross_source_edges: true });
    expect(await names()).toEqual(['gears (other)', 'orders']);
    await ingestGraph({ cross_source_edges: true, domain_map: { '*': 'parts' } });
    expect(await names()).toEqual([]);
    expect(await names('parts')).toEqual(['gears (other)', 'orders']);
  });
});

describe('extract_rules of ingest_graph', () => {
  it('holds for later syncs, until ingest_graph says otherwise', async () => {
    await ingestGraph({ extract_rules: false });
    await connect();
    await sync();
    expect(await ruled()).toEqual([]);
    change("create table racks (id integer primary key, name text check (name <> ''))");
    await sync('incremental');
    expect(await names()).toContain('racks');
    expect(await ruled()).toEqual([]);
    await connect({ domain_map: { '*': 'parts' } });
    await sync('incremental');
    expect(await names('parts')).toContain('racks');
    expect(await ruled('parts')).toEqual([]);
    await ingestGraph({ domain_map: { '*': 'parts' } });
    await sync();
    expect(await ruled('parts')).toEqual(['gear_types', 'gears', 'gears', 'racks']);
  });

  it('takes rules back that a sync had made', async () => {
    await connect();
    await sync();
    expect(await ruled()).toHaveLength(3);
    await ingestGraph({ extract_rules: false });
    expect(await ruled()).toEqual([]);
    await sync('incremental');
    expect(await ruled()).toEqual([]);
  });
});

describe('a source with the targets graph', () => {
  const near = async (): Promise<string[]> => {
    const { items } = await harness.call('query', { context: 'crown wheel', domains: ['own'], mode: 'vec' });
    return (items as Array<{ metadata: { kind: string }; content: string }>).map(({ content }) => content).sort();
  };

  it('has no vectors, now and later; another target gives it some, and this one takes them away', async () => {
    await connect({ targets: 'graph' });
    expect(await sync()).toMatchObject({ rows_added: 2, vectors_created: 0 });
    expect(await near()).toEqual([]);
    const { items } = await harness.call('query', { context: 'crown wheel', domains: ['own'], mode: 'auto' });
    expect((items as unknown[]).length).toBeGreaterThan(0);
    const complete = expect.arrayContaining([expect.objectContaining({ index: 'vectors', missing: 0 })]);
    expect(await indexDifferences(harness.service.store)).toEqual(complete);

    await connect({ targets: 'both' });
    expect(await sync('incremental')).toMatchObject({ rows_added: 2, vectors_created: 4 });
    expect(await near()).toContain('Bevel');

    await connect({ targets: 'graph' });
    expect(await sync('incremental')).toMatchObject({ rows_added: 2, vectors_created: 0 });
    expect(await near()).toEqual([]);
    expect(await indexDifferences(harness.service.store)).toEqual(complete);
  });
});

describe('a pattern of domain_map that fits no table', () => {
  it('is named when the source is connected or inspected, since its rows would go elsewhere', async () => {
    const domain_map = { 'main.gears': 'parts', ordres: 'sales', 'billing.*': 'billing' };
    const warnings = [
      'domain_map has "ordres", which fits no table; it is compared with schema.table and table, * stands for any characters.',
      'domain_map has "billing.*", which fits no table; it is compared with schema.table and table, * stands for any characters.',
    ];
    expect(await connect({ domain_map })).toMatchObject({ status: 'connected', warnings });
    const inspected = await harness.call('source_inspect_schema', { source_id: 'own', connection_string, domain_map });
    expect(inspected).toMatchObject({ warnings });
    expect(await connect({ domain_map: { 'main.gears': 'parts' } })).not.toHaveProperty('warnings');
  });
});
