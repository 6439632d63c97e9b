import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { mysqlRun, postgres } from '../fixtures/databases/servers.js';
import { type SourcesHarness, sourcesHarness } from '../sources/harness.js';

const PG = process.env.PG_URL ?? '';
const MARIADB = process.env.MARIADB_URL ?? '';
const SECRET = 'not-for-anybody';

let harness: SourcesHarness;
let onPostgres: string;
let onMariadb: string;
beforeAll(async () => {
  harness = await sourcesHarness({ SVC_SECRET_KEY: 'a key for this test only' });
  await postgres(PG, [
    'drop database if exists fixture_errors with (force)',
    'create database fixture_errors',
    'drop role if exists reader_of_errors',
    `create role reader_of_errors login password '${SECRET}'`,
  ]);
  onPostgres = at(PG, { pathname: '/fixture_errors', username: 'reader_of_errors', password: SECRET });
  await mysqlRun(MARIADB, ['drop database if exists fixture_errors', 'create database fixture_errors']);
  onMariadb = at(MARIADB, { pathname: '/fixture_errors' });
});
afterAll(() => harness.close());

function at(url: string, parts: Partial<Pick<URL, 'pathname' | 'username' | 'password' | 'search'>>): string {
  return Object.assign(new URL(url), parts).href;
}

async function failure(connection_string: string): Promise<{ code: string; message: string; all: string }> {
  const error = await harness.call('source_connect', { source_id: 'x', connection_string }).then(
    () => {
      throw new Error('It did not fail.');
    },
    (thrown: unknown) => thrown as { code: string; message: string; details: unknown; stack: string; cause: unknown },
  );
  return {
    ...error,
    message: error.message,
    all: JSON.stringify([error.message, error.details, error.stack, error.cause]),
  };
}

interface Found {
  readonly name: string;
  readonly row_count: number;
}

async function discovered(source_id: string, connection_string: string): Promise<Record<string, number>> {
  await harness.call('source_connect', { source_id, connection_string });
  const { tables } = await harness.call('source_discover', { source_id });
  return Object.fromEntries(tables.map((table: Found) => [table.name, table.row_count]));
}

describe('relations that a server cannot read', () => {
  it('PostgreSQL: views that fail, wait or are not populated hide nothing', async () => {
    await postgres(at(PG, { pathname: '/fixture_errors' }), [
      'create table public.fine (id int primary key, name text)',
      "insert into public.fine values (1, 'Here')",
      'create materialized view public.empty_one as select id from public.fine with no data',
      'create view public.failing as select 1 / (id - 1) as q from public.fine',
      'create view public.waiting as select pg_sleep(100)::text as s from public.fine',
      'grant select on all tables in schema public to reader_of_errors',
    ]);
    expect(await discovered('pg', onPostgres)).toEqual({ empty_one: 0, failing: 0, fine: 1, waiting: 0 });
  });

  it('MariaDB: an invalid view and one that waits hide nothing', async () => {
    await mysqlRun(onMariadb, [
      'create table fine (id int primary key, name text)',
      "insert into fine values (1, 'Here')",
      'create table gone (id int)',
      'create view invalid as select id from gone',
      'create view waiting as select sleep(100) as s from fine',
      'drop table gone',
    ]);
    expect(await discovered('my', onMariadb)).toEqual({ fine: 1, invalid: 0, waiting: 0 });
  });

  it('PostgreSQL: a table that fails and one that is locked are reported by name, the others are read', async () => {
    const own = at(PG, { pathname: '/fixture_errors' });
    await postgres(own, [
      'create table public.a_failing (id int primary key)',
      'insert into public.a_failing values (0)',
      'alter table public.a_failing enable row level security',
      'create policy p on public.a_failing using (1 / id > 0)',
      'create table public.b_locked (id int primary key)',
      'grant select on all tables in schema public to reader_of_errors',
    ]);
    await harness.call('source_connect', { source_id: 'pg', connection_string: onPostgres });
    const other = new pg.Client({ connectionString: own });
    await other.connect();
    await other.query('begin; lock table public.b_locked in access exclusive mode');
    const { errors, tables_synced, rows_added } = await harness.call('source_sync', { source_id: 'pg' });
    await other.end();
    expect({ tables_synced, rows_added }).toEqual({ tables_synced: 1, rows_added: 1 });
    expect(errors).toEqual([
      expect.stringMatching(/"public\.a_failing" cannot be read \(SQLSTATE 22012\)/),
      expect.stringMatching(/"public\.b_locked" took too long.*\(SQLSTATE 55P03\)/),
    ]);
    expect(JSON.stringify(errors)).not.toContain(SECRET);
  });

  it('PostgreSQL: a table that the user may not read any more keeps what was read of it, and is named', async () => {
    await postgres(at(PG, { pathname: '/fixture_errors' }), [
      'create schema rights',
      'create table rights.kept (id int primary key, name text)',
      "insert into rights.kept values (1, 'Kept thing')",
      'create table rights.other (id int primary key, name text)',
      "insert into rights.other values (1, 'Other thing')",
      'grant usage on schema rights to reader_of_errors',
      'grant select on all tables in schema rights to reader_of_errors',
    ]);
    const source = { source_id: 'rights', connection_string: onPostgres, schemas: ['rights'] };
    await harness.call('source_connect', source);
    await harness.call('source_sync', { source_id: 'rights', mode: 'full' });
    const names = async () =>
      (await harness.service.graph.findNodes({ domain: 'rights' })).map((node) => node.name).sort();
    const before = await names();
    expect(before).toContain('Kept thing');
    for (const revoked of ['rights.kept', 'rights.kept, rights.other']) {
      await postgres(at(PG, { pathname: '/fixture_errors' }), [`revoke select on ${revoked} from reader_of_errors`]);
      for (const mode of ['incremental', 'full']) {
        const { errors, rows_forgotten } = await harness.call('source_sync', { source_id: 'rights', mode });
        expect(errors.map((error: string) => error.split(':')[0])).toEqual(revoked.split(', '));
        expect(errors[0]).toContain('may not read it any more; what was read of it stays');
        expect([rows_forgotten, await names()]).toEqual([0, before]);
      }
      await harness.call('source_ingest_graph', source);
      expect(await names()).toEqual(before);
    }
    await postgres(at(PG, { pathname: '/fixture_errors' }), [
      'grant select on all tables in schema rights to reader_of_errors',
      'drop table rights.kept',
    ]);
    await harness.call('source_sync', { source_id: 'rights', mode: 'full' });
    expect(await names()).toEqual(['Other thing', 'other']);
  });

  it('MariaDB: a locked table is reported by name, the others are read', async () => {
    await mysqlRun(onMariadb, ['create table b_locked (id int primary key)']);
    await harness.call('source_connect', { source_id: 'my', connection_string: onMariadb });
    const other = await mysql.createConnection(onMariadb);
    await other.query('lock tables b_locked write');
    const { errors, tables_synced } = await harness.call('source_sync', { source_id: 'my' });
    await other.end();
    expect(tables_synced).toBe(1);
    expect(errors).toEqual([expect.stringMatching(/"fixture_errors\.b_locked" took too long.*\(error 1205\)/)]);
  });
});

describe('TLS that one side wants', () => {
  it.each([
    ['PostgreSQL', PG],
    ['MariaDB', MARIADB],
  ])('%s without TLS says that sslmode demands it', async (_engine, url) => {
    const given = await failure(at(url, { password: SECRET, search: '?sslmode=require' }));
    expect(given).toMatchObject({ code: 'unavailable' });
    expect(given.message).toContain('offers no TLS, which sslmode');
    expect(given.all).not.toContain(SECRET);
  });

  it('PostgreSQL that refuses without a reason: sslmode is named beside user and password', async () => {
    const given = await failure(at(PG, { username: 'nobody_here', password: SECRET }));
    expect(given.message).toMatch(/refused the login; check user and password.*sslmode=require/);
    expect(given.all).not.toContain(SECRET);
  });

  it('MariaDB that lets a user in over TLS only: the same', async () => {
    await mysqlRun(MARIADB, [
      `create or replace user 'over_tls'@'%' identified by '${SECRET}' require ssl`,
      "grant select on *.* to 'over_tls'@'%'",
    ]);
    const given = await failure(at(MARIADB, { username: 'over_tls', password: SECRET }));
    expect(given.message).toMatch(/refused the login; check user and password.*sslmode=require/);
    expect(given.all).not.toContain(SECRET);
  });
});
