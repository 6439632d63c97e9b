import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import SqliteDatabase from 'better-sqlite3';
import { DATABASES, writeSqlite } from '../fixtures/databases/databases.js';
import { type SourcesHarness, sourcesHarness } from './harness.js';

let harness: SourcesHarness;
beforeEach(async () => {
  harness = await sourcesHarness();
});
afterEach(() => harness.close());

function database(name: string): { readonly file: string; readonly connection_string: string } {
  const connection_string = writeSqlite(DATABASES.find((one) => one.name === name)!, harness.directory);
  return { connection_string, file: connection_string.slice('sqlite:'.length) };
}

function change(file: string, ...statements: readonly string[]): void {
  const db = new SqliteDatabase(file);
  db.pragma('foreign_keys = off');
  for (const statement of statements) db.exec(statement);
  db.close();
}

const names = async (domain: string): Promise<string[]> =>
  (await harness.service.graph.findNodes({ domain }))
    .filter((n) => n.properties.kind === 'row')
    .map((n) => n.name)
    .sort();

describe('sync', () => {
  it('incremental touches exactly the changed, new and deleted rows', async () => {
    const { connection_string, file } = database('habits');
    await harness.call('source_connect', { source_id: 'habits', connection_string });
    expect(await harness.call('source_sync', { source_id: 'habits' })).toMatchObject({
      tables_synced: 7,
      rows_added: 16,
      rows_forgotten: 0,
      errors: [],
    });
    expect(await harness.call('source_sync', { source_id: 'habits', mode: 'incremental' })).toMatchObject({
      rows_added: 0,
      rows_forgotten: 0,
      errors: [],
    });
    change(
      file,
      "update habits set notes = 'New laces needed.', updated_at = '2026-05-01 00:00:00' where id = 1",
      "update tags set label = 'quiet' where id = 2",
      "insert into habits values (4, 2, null, null, 'Late entry', null, 'active', 2, 0, '2020-01-01 00:00:00', '2020-01-01 00:00:00')",
      'delete from habit_events where id = 12',
    );
    const version = await harness.service.graph.version();
    // The tag's name stands in the row that gives a habit the tag, too.
    expect(await harness.call('source_sync', { source_id: 'habits', mode: 'incremental' })).toMatchObject({
      rows_added: 4,
      rows_forgotten: 1,
      errors: [],
    });
    expect(await harness.service.graph.version()).toBeGreaterThan(version);
    expect(await names('habits')).toEqual(expect.arrayContaining(['quiet', 'Late entry']));
    expect(await names('habits')).not.toContain('calm');
    expect(await names('habits')).not.toContain('habit_events 12');
  });

  it('rows and tables are found by their words and by their meaning, in their own domain', async () => {
    const { connection_string } = database('docs');
    await harness.call('source_connect', {
      source_id: 'docs',
      connection_string,
      domain_map: { 'main.comments': 'talk' },
    });
    await harness.call('source_sync', { source_id: 'docs' });
    const items = async (input: object) =>
      (await harness.call('query', input)).items as Array<{ content: string; domain: string }>;
    expect((await items({ context: 'blue tin grease', domains: ['docs'] }))[0]!.content).toContain(
      'Greasing the bell bearings',
    );
    expect(
      (await items({ context: 'how do I wind the clock in the tower', domains: ['docs'], mode: 'vec' }))[0]!.content,
    ).toContain('Winding the tower clock');
    expect((await items({ context: 'revisions table', domains: ['docs'] })).map((i) => i.content).join('\n')).toContain(
      'Database table of docs',
    );
    expect((await items({ context: 'red mark', domains: ['talk'] })).map((i) => i.domain)).toEqual(
      expect.arrayContaining(['talk']),
    );
  });

  it('targets decide what is made: vectors without edges, or edges without vectors', async () => {
    const { connection_string } = database('shop');
    const made = async (targets: string) => {
      await harness.call('source_connect', { source_id: `shop-${targets}`, connection_string, targets });
      const { vectors_created, rows_added } = await harness.call('source_sync', { source_id: `shop-${targets}` });
      const edges = await harness.service.graph.getEdges({ domain: `shop-${targets}` });
      return { vectors_created, rows_added, edges: edges.length };
    };
    expect(await made('vec')).toEqual({ vectors_created: 18, rows_added: 18, edges: 0 });
    expect(await made('graph')).toEqual({ vectors_created: 0, rows_added: 18, edges: 27 });
    expect(await made('both')).toEqual({ vectors_created: 28, rows_added: 18, edges: 27 });
  });

  it('a changed domain map moves the rows, a dropped table goes', async () => {
    const { connection_string, file } = database('docs');
    await harness.call('source_connect', { source_id: 'docs', connection_string });
    await harness.call('source_sync', { source_id: 'docs' });
    const before = (await names('docs')).length;
    await harness.call('source_connect', {
      source_id: 'docs',
      connection_string,
      domain_map: { 'doc*types': 'kinds', revisions: 'history' },
    });
    change(file, 'drop table blanks');
    await harness.call('source_sync', { source_id: 'docs', mode: 'incremental' });
    expect(await names('kinds')).toEqual(['Letter', 'Manual']);
    expect(await names('history')).toHaveLength(2);
    expect((await names('docs')).length).toBe(before - 2 - 2 - 2);
    const { graph } = harness.service;
    const rules = (await graph.getRules({ domains: ['history', 'docs'], include_derived: false })).map(
      ({ domain, text }) => ({
        domain,
        text,
      }),
    );
    expect(rules).toEqual([{ domain: 'history', text: expect.stringContaining('revisions.words') }]);
    for (const [table, domain] of [
      ['document_types', 'kinds'],
      ['revisions', 'history'],
    ] as const) {
      const found = (await graph.findNodes({ domain, pattern: table })).filter((node) => node.name === table);
      expect(found).toMatchObject([{ properties: { kind: 'table', is_catalog: table === 'document_types' } }]);
    }
    const revisions = { kind: 'row', domain: 'docs', prefix: 'docs/main.revisions/', limit: 1 } as const;
    expect(await graph.sourceKeys(revisions)).toEqual([]);
    expect(await graph.sourceKeys({ ...revisions, domain: 'history' })).toMatchObject([{ domain: 'history' }]);
    const stand = (await harness.service.graph.findNodes({ domain: 'docs', pattern: 'document_types (docs)' }))[0];
    expect(stand?.properties.domain).toBe('kinds');
  });

  it('forgets by row, by table, by database, and a full sync brings back what the database still has', async () => {
    const { connection_string } = database('habits');
    await harness.call('source_connect', { source_id: 'h', connection_string });
    await harness.call('source_sync', { source_id: 'h' });
    const all = await names('h');
    expect(await harness.call('source_forget', { source_id: 'h', table: 'tags', row: '1' })).toMatchObject({
      sources: 1,
    });
    expect(await names('h')).toEqual(all.filter((name) => name !== 'outdoors'));
    expect(await harness.call('source_forget', { source_id: 'h', table: 'habit_events' })).toMatchObject({
      sources: 4,
    });
    await harness.call('source_sync', { source_id: 'h' });
    expect(await names('h')).toEqual(all);
    await harness.call('source_disconnect', { source_id: 'h' });
    expect(await names('h')).toEqual(all);
    await harness.call('source_forget', { source_id: 'h' });
    expect(await harness.service.graph.findNodes({ domain: 'h' })).toEqual([]);
  });

  it('two syncs of one source at once: the second is refused with conflict', async () => {
    const { connection_string } = database('shop');
    await harness.call('source_connect', { source_id: 's', connection_string });
    const both = await Promise.allSettled([
      harness.call('source_sync', { source_id: 's' }),
      harness.call('source_sync', { source_id: 's' }),
    ]);
    expect(both.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(both.find((one) => one.status === 'rejected')).toMatchObject({ reason: { code: 'conflict' } });
    expect(await harness.call('source_sync', { source_id: 's', mode: 'incremental' })).toMatchObject({
      rows_added: 0,
      errors: [],
    });
  });

  it('ingest_graph makes tables, rules and catalog rows, and references into other sources when asked', async () => {
    for (const name of ['auth', 'docs'])
      await harness.call('source_connect', { source_id: name, connection_string: database(name).connection_string });
    const org = { source_id: 'org', connection_string: database('org').connection_string };
    const suggested = (await harness.call('source_inspect_schema', { ...org, source_id: 'org' })).cross_source_edges;
    expect(suggested).toEqual([
      {
        source: 'main.leave_requests',
        column: 'user_id',
        target_source: 'auth',
        target: 'main.users',
        relation_type: 'belongs_to',
        confidence: 0.9,
      },
    ]);
    const auth = await harness.call('source_inspect_schema', {
      source_id: 'auth',
      connection_string: database('auth').connection_string,
    });
    expect(auth.cross_source_edges).toMatchObject([{ column: 'document_id', target_source: 'docs', confidence: 0.7 }]);
    const uncrossed = await harness.call('source_ingest_graph', org);
    const crossed = await harness.call('source_ingest_graph', { ...org, cross_source_edges: true });
    expect(crossed.edges).toBe(uncrossed.edges + 1);
    const edges = await harness.service.graph.getEdges({ domain: 'org' });
    expect(edges.some((edge) => edge.relation_type === 'BELONGS_TO' && edge.confidence === 0.9)).toBe(true);
    const shop = { source_id: 'shop', connection_string: database('shop').connection_string };
    expect(
      await harness.call('source_ingest_graph', { ...shop, embed_catalog_tables: false, extract_rules: false }),
    ).toEqual({ source_id: 'shop', concepts: 10, edges: 9, rules: 0 });
    expect(await harness.call('source_ingest_graph', shop)).toEqual({
      source_id: 'shop',
      concepts: 12,
      edges: 10,
      rules: 4,
    });
    expect(await names('shop')).toEqual(['A brass sextant', 'spring-sale']);
    const rules = await harness.service.graph.getRules({ include_derived: true });
    expect(new Set(rules.map(({ derivation }) => derivation))).toEqual(new Set(['explicit']));
  });
});

describe('bad input', () => {
  it('names what is wrong', async () => {
    const { connection_string } = database('shop');
    await harness.call('source_connect', { source_id: 's', connection_string });
    const fails = (operation: Parameters<typeof harness.call>[0], input: object) =>
      harness.call(operation, input).then(
        () => 'no error',
        (error) => error.code as string,
      );
    expect(await fails('source_sync', { source_id: 's', tables: ['nothing'] })).toBe('invalid_input');
    expect(await fails('source_sync', { source_id: 'absent' })).toBe('source_not_found');
    expect(await fails('source_discover', { source_id: 'absent' })).toBe('source_not_found');
    expect(await fails('source_disconnect', { source_id: 'absent' })).toBe('source_not_found');
    expect(await fails('source_connect', { source_id: 's/x', connection_string })).toBe('invalid_input');
    expect(await fails('source_connect', { source_id: 's', connection_string, schemas: ['nope'] })).toBe(
      'invalid_input',
    );
    expect(
      await fails('source_connect', { source_id: 's', connection_string: `sqlite:${harness.directory}/none.db` }),
    ).toBe('unavailable');
    expect(await fails('source_forget', { source_id: 's', row: '1' })).toBe('invalid_input');
  });

  it('a table of 500 columns, a cell of a megabyte, rows of nulls, a null in a key', async () => {
    const file = `${harness.directory}/wide.db`;
    const columns = Array.from({ length: 500 }, (_, i) => `c${i}`);
    change(
      file,
      `create table wide (id integer primary key, ${columns.map((c) => `${c} text`).join(', ')})`,
      `insert into wide values (1, ${columns.map((c) => `'v ${c}'`).join(', ')}), (2, ${columns.map(() => 'null').join(', ')})`,
      'create table big (id integer primary key, name text, body text)',
      `insert into big values (1, 'A long one', '${'river stone '.repeat(90_000)}'), (2, '${'n'.repeat(5000)}', null)`,
      'create table holes (id text primary key, name text)',
      "insert into holes values ('a', 'here'), (null, 'without a key')",
    );
    await harness.call('source_connect', { source_id: 'wide', connection_string: `sqlite:${file}` });
    const { errors, ...totals } = await harness.call('source_sync', { source_id: 'wide' });
    expect(totals).toMatchObject({ tables_synced: 3, rows_added: 6 });
    expect(errors).toEqual([]);
  });
});
