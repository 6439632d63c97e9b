import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import SqliteDatabase from 'better-sqlite3';
import type { SourcesDeps } from '../../src/sources/sources.js';
import { type SourcesHarness, sourcesHarness } from './harness.js';

let harness: SourcesHarness;
beforeEach(async () => {
  harness = await sourcesHarness();
});
afterEach(() => harness.close());

/** Runs statements on a SQLite file of the test's own; returns its connection string. */
function database(...statements: readonly string[]): string {
  const file = `${harness.directory}/own.db`;
  const db = new SqliteDatabase(file);
  for (const statement of statements) db.exec(statement);
  db.close();
  return `sqlite:${file}`;
}

/** Fills a table of a number and a name. */
const numbered = (table: string, count: number): string =>
  `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count}) insert into ${table} select i, 'Row ' || i from n`;

const rows = async (domain = 'own'): Promise<string[]> =>
  (await harness.service.graph.findNodes({ domain }))
    .filter((node) => node.properties.kind === 'row')
    .map((node) => node.name)
    .sort();

const sync = (mode: string) => harness.call('source_sync', { source_id: 'own', mode });

/** Syncs and gives up after so many rows, by default the first page. */
async function interrupted(mode: string, least = 1): Promise<void> {
  const stop = new AbortController();
  const call = harness.call(
    'source_sync',
    { source_id: 'own', mode },
    { signal: stop.signal, progress: (done) => done >= least && stop.abort() },
  );
  await expect(call).rejects.toThrow();
}

/** Counts the texts that the model embeds from now on. */
function countEmbedded(): () => number {
  const { ports } = Reflect.get(harness.service.sources, 'deps') as SourcesDeps;
  const model = ports.embedding!;
  const { embedSpanned } = model;
  let count = 0;
  model.embedSpanned = (texts, signal) => {
    count += texts.length;
    return embedSpanned(texts, signal);
  };
  return () => count;
}

it('a dropped table takes only its own rows along, whatever the tables and rows are named', async () => {
  const names = ['a', 'a-b', 'a/b', 'a%2fb', 'a.b', 'a0', 'a!', '\u{10ffff}', '\u{ffee}'];
  const quoted = (name: string): string => `"${name}"`;
  const connection_string = database(
    ...names.flatMap((name) => [
      `create table ${quoted(name)} (id text primary key, name text)`,
      `insert into ${quoted(name)} values ('@schema', '${name} 1'), ('x/@schema', '${name} 2'), ('\u{10ffff}', '${name} 3')`,
    ]),
  );
  await harness.call('source_connect', { source_id: 'own', connection_string });
  await sync('full');
  const of = (kept: readonly string[]): string[] =>
    kept.flatMap((name) => [`${name} 1`, `${name} 2`, `${name} 3`]).sort();
  expect(await rows()).toEqual(of(names));
  for (let left = names; left.length > 0; left = left.slice(1)) {
    database(`drop table ${quoted(left[0]!)}`, 'create table if not exists rest (id integer primary key, name text)');
    expect(await sync('incremental')).toMatchObject({ rows_added: 0, errors: [] });
    expect(await rows()).toEqual(of(left.slice(1)));
  }
});

describe('what was forgotten', () => {
  it.each(['incremental', 'full'])('as a domain comes back whole with the next %s sync', async (mode) => {
    const connection_string = database(
      'create table parts (id integer primary key, name text, updated_at text)',
      'create index parts_updated on parts (updated_at)',
      "insert into parts values (1, 'Bolt', '2020-01-01 00:00:00'), (2, 'Nut', '2026-01-01 00:00:00')",
      "create table bins (id integer primary key, name text check (name <> ''))",
      "insert into bins values (1, 'Left bin')",
    );
    await harness.call('source_connect', { source_id: 'own', connection_string });
    await sync('full');
    await harness.call('forget_domain', { name: 'own' });
    expect(await rows()).toEqual([]);
    expect(await sync(mode)).toMatchObject({ rows_added: 3, errors: [] });
    expect(await rows()).toEqual(['Bolt', 'Left bin', 'Nut']);
    expect(await harness.service.graph.getRules({ domains: ['own'] })).toHaveLength(1);
    expect(await sync('incremental')).toMatchObject({ rows_added: 0, rows_forgotten: 0 });
  });

  it('as a document comes back with the next incremental sync', async () => {
    const connection_string = database(
      'create table bins (id integer primary key, name text)',
      "insert into bins values (1, 'Left bin'), (2, 'Right bin')",
    );
    await harness.call('source_connect', { source_id: 'own', connection_string });
    await sync('full');
    const [source] = await harness.service.graph.listSources({ kind: 'row', key: 'own/main.bins/2' });
    await harness.call('forget_document', { source_id: source!.source_id });
    expect(await rows()).toEqual(['Left bin']);
    expect(await sync('incremental')).toMatchObject({ rows_added: 1, rows_forgotten: 0 });
    expect(await rows()).toEqual(['Left bin', 'Right bin']);
  });

  it.each(['incremental', 'full'])(
    'during an interrupted %s sync comes back with the one that follows',
    async (mode) => {
      const connection_string = database(
        'create table parts (id integer primary key, name text)',
        numbered('parts', 300),
      );
      await harness.call('source_connect', { source_id: 'own', connection_string });
      await interrupted(mode);
      await harness.call('forget_domain', { name: 'own' });
      await sync(mode);
      expect(await rows()).toHaveLength(300);
    },
  );
});

describe('a sync after an interrupted one', () => {
  it.each(['incremental', 'full'])('starts a table without a key anew (%s): no row is passed over', async (mode) => {
    const connection_string = database('create table log (i integer, name text)', numbered('log', 700));
    await harness.call('source_connect', { source_id: 'own', connection_string });
    await sync('full');
    await interrupted(mode);
    database('delete from log where i <= 50');
    expect(await sync(mode)).toMatchObject({ rows_forgotten: 50, errors: [] });
    expect(await rows()).toEqual(Array.from({ length: 650 }, (_, i) => `Row ${i + 51}`).sort());
  });

  describe.each([
    ['with a key', 'id integer primary key'],
    ['without a key', 'id integer'],
  ])('of a table %s', (_, id) => {
    it.each(['full', 'incremental'])(
      'ends equal to the table as it is now, and embeds no unchanged row again (%s)',
      async (mode) => {
        const connection_string = database(`create table parts (${id}, name text)`, numbered('parts', 1500));
        await harness.call('source_connect', { source_id: 'own', connection_string });
        await interrupted(mode, 1000);
        const done = (await rows()).length;
        database('delete from parts where id = 2', "update parts set name = 'Changed' where id = 3");
        const embedded = countEmbedded();
        await interrupted(mode);
        database('delete from parts where id = 4', "update parts set name = 'Changed later' where id = 5");
        const last = await sync(mode);
        expect(last).toMatchObject({ rows_read: 1498, errors: [] });
        const gone = [2, 3, 4, 5].map((i) => `Row ${i}`);
        const all = Array.from({ length: 1500 }, (__, i) => `Row ${i + 1}`).filter((name) => !gone.includes(name));
        expect(await rows()).toEqual([...all, 'Changed', 'Changed later'].sort());
        // Two changed rows, and the table itself with each sync.
        expect(embedded()).toBeLessThanOrEqual(1500 - done + 2 + 2);
        expect(await sync('incremental')).toMatchObject({ rows_added: 0, rows_forgotten: 0 });
      },
    );
  });

  it('finds what changed before the place that an incremental sync had reached', async () => {
    const connection_string = database(
      'create table parts (id integer primary key, name text, updated_at text)',
      'create index parts_updated on parts (updated_at)',
      "with recursive n (i) as (select 1 union all select i + 1 from n where i < 700) insert into parts select i, 'Row ' || i, '2024-01-01 00:00:00' from n",
    );
    await harness.call('source_connect', { source_id: 'own', connection_string });
    await sync('full');
    database("update parts set name = 'New ' || id, updated_at = '2024-02-01 00:00:00'");
    await interrupted('incremental');
    database("update parts set name = 'Newer 1', updated_at = '2024-02-02 00:00:00' where id = 1");
    database("update parts set updated_at = '2024-03-01 00:00:00' where id = 700");
    await sync('incremental');
    await sync('incremental');
    expect(await rows()).toContain('Newer 1');
  });
});

describe('a table that cannot be read', () => {
  it('is reported; those after it are synced', async () => {
    const connection_string = database(
      'create table a_broken (id integer primary key, name text)',
      "insert into a_broken values (1, 'no json')",
      "alter table a_broken add column part text generated always as (json_extract(name, '$.part')) virtual",
      'create table b_whole (id integer primary key, name text)',
      "insert into b_whole values (1, 'Whole')",
    );
    await harness.call('source_connect', { source_id: 'own', connection_string });
    expect(await sync('full')).toMatchObject({
      tables_synced: 1,
      rows_added: 1,
      errors: [expect.stringContaining('main.a_broken')],
    });
    expect(await rows()).toEqual(['Whole']);
  });

  it('because the database no longer answers ends the sync; the next one does the rest', async () => {
    const connection_string = database(
      ...['a', 'b', 'c'].flatMap((name) => [
        `create table ${name} (id integer primary key, name text)`,
        `insert into ${name} values (1, 'Row of ${name}')`,
      ]),
    );
    await harness.call('source_connect', { source_id: 'own', connection_string });
    const other = new SqliteDatabase(connection_string.slice('sqlite:'.length));
    const progress = () => {
      if (!other.inTransaction) other.exec('begin exclusive');
    };
    const first = await harness.call('source_sync', { source_id: 'own' }, { progress });
    other.close();
    expect(first).toMatchObject({ tables_synced: 1, errors: [expect.stringContaining('main.b')] });
    expect(await sync('full')).toMatchObject({ tables_synced: 3, rows_added: 2, errors: [] });
    expect(await rows()).toEqual(['Row of a', 'Row of b', 'Row of c']);
  });
});
