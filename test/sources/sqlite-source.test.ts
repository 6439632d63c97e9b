import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import SqliteDatabase from 'better-sqlite3';
import { parseAddress } from '../../src/backends/relational/address.js';
import { openRelational } from '../../src/backends/relational/open.js';
import type { RelationalDatabase } from '../../src/backends/relational/port.js';
import { rowPages } from '../../src/sources/sync/pages.js';
import { type SourcesHarness, sourcesHarness } from './harness.js';

let harness: SourcesHarness;
let file: string;
beforeEach(async () => {
  harness = await sourcesHarness();
  file = `${harness.directory}/source.db`;
});
afterEach(() => harness.close());

function written(...statements: readonly string[]): void {
  const db = new SqliteDatabase(file).unsafeMode();
  for (const statement of statements) db.exec(statement);
  db.close();
}

async function synced(): Promise<{
  errors: string[];
  rows_added: number;
  rows_forgotten: number;
  tables_synced: number;
}> {
  await harness.call('source_connect', { source_id: 's', connection_string: `sqlite:${file}` });
  return harness.call('source_sync', { source_id: 's' });
}

async function reading<T>(work: (database: RelationalDatabase) => Promise<T>): Promise<T> {
  const database = await openRelational(parseAddress(`sqlite:${file}`));
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** The values of a column as rowPages brings them, a few rows per page. */
async function paged(table: string, column: string): Promise<unknown[]> {
  return reading(async (database) => {
    const info = (await database.introspect({ schemas: ['main'], views: false })).find((one) => one.name === table)!;
    const seen: unknown[] = [];
    const options = { limit: 2, known: async () => new Set<string>(), since: undefined };
    for await (const page of rowPages({ database, table: info }, options)) {
      seen.push(...page.rows.map((row) => row[column]));
      if (seen.length > 100) throw new Error('The pages do not end.');
    }
    return seen;
  });
}

async function rowEdges(): Promise<Array<[string, string]>> {
  const nodes = await harness.service.graph.findNodes({ domain: 's' });
  const names = new Map(nodes.filter((n) => n.properties.kind === 'row').map((n) => [n.id, n.name]));
  return (await harness.service.graph.getEdges({ domain: 's' }))
    .flatMap(({ source_id, target_id }): Array<[string, string]> => {
      const [from, to] = [names.get(source_id), names.get(target_id)];
      return from === undefined || to === undefined ? [] : [[from, to]];
    })
    .sort();
}

const BIG = ['1152921504606846977', '1152921504606846978', '1152921504606846979', '9223372036854775807'];

describe('integers above 2^53 in SQLite', () => {
  it('neighbours stay apart as keys and as references', async () => {
    written(
      'create table boats (id integer primary key, name text)',
      'create table oars (id bigint primary key, name text, boat_id bigint references boats (id)) without rowid',
      ...BIG.map((id, i) => `insert into boats values (${id}, 'Boat ${i}')`),
      ...BIG.map((id, i) => `insert into oars values (${id}, 'Oar ${i}', ${id})`),
      "insert into oars values (-9007199254740993, 'Low oar', 1152921504606846978)",
    );
    expect(await synced()).toMatchObject({ rows_added: 9, errors: [] });
    expect(await rowEdges()).toEqual([['Low oar', 'Boat 1'], ...BIG.map((_, i) => [`Oar ${i}`, `Boat ${i}`])]);
    expect(await harness.call('source_sync', { source_id: 's', mode: 'incremental' })).toMatchObject({
      rows_added: 0,
      rows_forgotten: 0,
    });
  });

  it.each([
    ['integer', (id: string) => id],
    ['decimal(20)', (id: string) => id],
    ['text', (id: string) => `'${id}'`],
    ['', (id: string) => id],
    ['', (id: string) => `'${id}'`],
  ])('a key declared as "%s" is paged through whole', async (type, literal) => {
    written(
      `create table t (id ${type} not null primary key, name text)`,
      ...BIG.map((id) => `insert into t values (${literal(id)}, 'x')`),
    );
    expect(await paged('t', 'id')).toEqual(BIG);
  });

  it('what fits a number stays a number, and a boolean one', async () => {
    written(
      'create table t (id integer primary key, most integer, over integer, ok boolean, part real)',
      'insert into t values (1, 9007199254740991, 9007199254740992, 1, 0.5)',
    );
    const rows = await reading(async (database) => {
      const [table] = await database.introspect({ schemas: ['main'], views: false });
      return database.page({ table: table!, keys: ['id'], limit: 10 });
    });
    expect(rows).toEqual([{ id: 1, most: 9007199254740991, over: '9007199254740992', ok: true, part: 0.5 }]);
  });
});

describe('bytes as keys in SQLite', () => {
  it('a unique constraint of bytes without null is the key of a table without another', async () => {
    written(
      'create table prints (hash blob not null unique, name text)',
      "insert into prints values (x'00ff', 'Old print'), (x'0100', 'New print')",
    );
    expect(await synced()).toMatchObject({ rows_added: 2, tables_synced: 1, errors: [] });
    expect(await paged('prints', 'hash')).toEqual(['00ff', '0100']);
  });

  it('a reference to another table by its unique bytes becomes an edge; the bytes are in no text', async () => {
    written(
      'create table files (id integer primary key, name text, hash blob unique)',
      'create table pages (id integer primary key, name text, file_hash blob references files (hash))',
      "insert into files values (1, 'Plan', x'abcdef'), (2, 'Map', x'abcdf0')",
      "insert into pages values (1, 'Page of the map', x'abcdf0')",
    );
    expect(await synced()).toMatchObject({ rows_added: 3, errors: [] });
    expect(await rowEdges()).toEqual([['Page of the map', 'Map']]);
    const nodes = await harness.service.graph.findNodes({ domain: 's' });
    expect(JSON.stringify(nodes.filter((node) => node.properties.kind === 'row'))).not.toContain('abcdf0');
  });

  it('bytes in a column without a type are paged through', async () => {
    written(
      'create table t (id not null primary key, name text)',
      "insert into t values (x'0a', 'a'), (x'0b', 'b'), (x'0c', 'c'), ('0d', 'd'), ('zz', 'e')",
    );
    expect(await paged('t', 'id')).toEqual(['0d', 'zz', '0a', '0b', '0c']);
  });
});

describe('relations that SQLite cannot read', () => {
  const found = async (): Promise<Record<string, unknown>> => {
    const { tables } = await harness.call('source_discover', { source_id: 's' });
    return Object.fromEntries(
      tables.map((t: { name: string; kind: string; columns: object[] }) => [t.name, [t.kind, t.columns.length]]),
    );
  };

  it('a view over a dropped table and a virtual table without its module hide nothing else', async () => {
    written(
      'create table a (id integer primary key, name text)',
      "insert into a values (1, 'First')",
      'create table gone (id integer)',
      'create view v as select * from gone',
      'create view w as select name from a',
      'drop table gone',
      'pragma writable_schema = on',
      "insert into sqlite_schema values ('table', 'foreign_one', 'foreign_one', 0, 'create virtual table foreign_one using no_such_module(x)')",
      'create table z (id integer primary key, name text)',
      "insert into z values (1, 'Last')",
    );
    const { errors, ...totals } = await synced();
    expect(totals).toMatchObject({ tables_synced: 2, rows_added: 2 });
    expect(errors).toEqual([expect.stringMatching(/foreign_one.*cannot be read \(SQLITE_ERROR/)]);
    expect(await found()).toEqual({
      a: ['table', 2],
      foreign_one: ['table', 0],
      v: ['view', 0],
      w: ['view', 1],
      z: ['table', 2],
    });
  });

  it('views are not run to be counted', async () => {
    written(
      'create table a (id integer primary key)',
      'create view endless as with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) as top from n',
    );
    await synced();
    const { tables } = await harness.call('source_discover', { source_id: 's' });
    expect(tables[1]).toMatchObject({ name: 'endless', row_count: 0, row_count_estimated: true });
  });

  it('a view is not synced, and the error says so', async () => {
    written('create table a (id integer primary key)', 'create view older as select * from a');
    await synced();
    const named = (table: string) => harness.call('source_sync', { source_id: 's', tables: ['a', table] });
    const details = { member: 'tables' };
    for (const view of ['older', 'main.older'])
      await expect(named(view)).rejects.toMatchObject({
        code: 'invalid_input',
        message: `tables names "${view}", a view; only tables are synced.`,
        details,
      });
    await expect(named('newer')).rejects.toMatchObject({
      message: 'tables names "newer", which the source does not have.',
      details,
    });
  });

  it('a full-text table is one table', async () => {
    written(
      'create virtual table notes using fts5(title, body)',
      "insert into notes values ('Kettle', 'Copper and steam.')",
    );
    expect(await synced()).toMatchObject({ tables_synced: 1, rows_added: 1, errors: [] });
    expect(await found()).toEqual({ notes: ['table', 2] });
  });
});

describe('a SQLite file that another process has locked', () => {
  const locking = (): { release: () => void } => {
    const other = new SqliteDatabase(file);
    other.exec('begin exclusive');
    return {
      release: () => {
        if (other.inTransaction) other.exec('rollback');
        other.close();
      },
    };
  };

  it('is waited for while the service goes on', async () => {
    written('create table t (id integer primary key)');
    const lock = locking();
    // It could not be released if the wait held the event loop.
    setTimeout(lock.release, 100);
    expect(await synced()).toMatchObject({ tables_synced: 1, errors: [] });
  });

  it('is given up in the end, and may be tried again', async () => {
    written('create table t (id integer primary key)');
    const lock = locking();
    let ticks = 0;
    const counting = setInterval(() => (ticks += 1), 100);
    const error = await synced().catch((thrown: unknown) => thrown);
    clearInterval(counting);
    lock.release();
    expect(error).toMatchObject({ code: 'unavailable', retriable: true });
    expect(String(error)).toContain('SQLITE_BUSY');
    expect(ticks).toBeGreaterThan(1);
    expect(await synced()).toMatchObject({ tables_synced: 1 });
  }, 20_000);
});
