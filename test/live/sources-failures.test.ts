import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mysqlRun, postgres } from '../fixtures/databases/servers.js';
import { type SourcesHarness, sourcesHarness } from '../sources/harness.js';

const PG = process.env.PG_URL ?? '';
const MARIADB = process.env.MARIADB_URL ?? '';
const SECRET = 'not-for-anybody';

let harness: SourcesHarness;
let silent: Server;
beforeAll(async () => {
  harness = await sourcesHarness({ SVC_SECRET_KEY: 'a key for this test only' });
  silent = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
});
afterAll(async () => {
  silent.close();
  await harness.close();
});

async function failure(connection_string: string, more: object = {}): Promise<{ code: string; all: string }> {
  try {
    await harness.call('source_connect', { source_id: 'x', connection_string, ...more });
  } catch (error) {
    const { code, message, details, stack } = error as {
      code: string;
      message: string;
      details: unknown;
      stack: string;
    };
    return { code, all: JSON.stringify([message, details, stack]) };
  }
  throw new Error('It did not fail.');
}

function at(url: string, change: (address: URL) => void): string {
  const address = new URL(url);
  change(address);
  return address.href;
}

describe('databases that do not answer as hoped', () => {
  it('a wrong password, an unknown user, an unknown database: said so, without the password', async () => {
    await mysqlRun(MARIADB, [
      "create or replace user 'reader'@'%' identified by 'right'",
      "grant select on *.* to 'reader'@'%'",
    ]);
    const wrong = await failure(at(MARIADB, (a) => Object.assign(a, { username: 'reader', password: SECRET })));
    expect(wrong.code).toBe('unavailable');
    expect(wrong.all).toContain('refused the login');
    const unknown = await failure(at(PG, (a) => Object.assign(a, { username: 'nobody_here', password: SECRET })));
    expect(unknown.all).toContain('refused the login');
    const absent = await failure(at(PG, (a) => Object.assign(a, { pathname: '/no_such_database', password: SECRET })));
    expect(absent.all).toContain('no such database');
    for (const one of [wrong, unknown, absent]) expect(one.all).not.toContain(SECRET);
  });

  it.each(['postgres', 'mysql'])(
    'a %s server that says nothing is given up within ten seconds',
    async (scheme) => {
      const { port } = silent.address() as { port: number };
      const given = await failure(`${scheme}://u:${SECRET}@127.0.0.1:${port}/d`);
      expect(given.code).toBe('unavailable');
      expect(given.all).not.toContain(SECRET);
    },
    10_000,
  );

  it.each([PG, MARIADB])('an unknown schema is named', async (url) => {
    const given = await failure(url, { schemas: ['no_such_schema'] });
    expect(given.code).toBe('invalid_input');
    expect(given.all).toContain('no_such_schema');
  });

  it('a connection that dies in the middle: the answer says how far it came, the next sync finishes', async () => {
    const name = 'fixture_dying';
    await postgres(PG, [`drop database if exists ${name} with (force)`, `create database ${name}`]);
    const own = at(PG, (a) => Object.assign(a, { pathname: `/${name}` }));
    await postgres(own, [
      'create table items (id bigint primary key, name text, parent_id bigint references items (id))',
      "insert into items select i, 'Item ' || i, null from generate_series(1, 10000) i",
    ]);
    await harness.call('source_connect', { source_id: 'dying', connection_string: own });
    let killed: Promise<void> | undefined;
    const kill = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`;
    const first = await harness.call(
      'source_sync',
      { source_id: 'dying' },
      {
        progress: () => {
          if (killed === undefined) killed = postgres(PG, [kill]);
        },
      },
    );
    await killed;
    expect(first.errors).toHaveLength(1);
    expect(first.errors[0]).toMatch(/does not answer.*\d+ of 10000 rows were done/);
    const second = await harness.call('source_sync', { source_id: 'dying' });
    expect(second.errors).toEqual([]);
    // It reads the table from its start, since rows may have changed, and loads only what the first one had not.
    expect(second.rows_read).toBe(10000);
    expect(first.rows_added).toBeGreaterThan(0);
    expect(first.rows_added + second.rows_added).toBe(10000);
    const nodes = await harness.service.graph.findNodes({ domain: 'dying' });
    expect(nodes.filter((node) => node.properties.kind === 'row')).toHaveLength(10000);
  });

  it('keys are paged in the order of their type, in every dialect', async () => {
    const rows = Array.from({ length: 700 }, (_, i) => `(${i * 3 - 900}, ${i % 7}, 'Row ${i}')`).join(', ');
    const make = [
      'drop table if exists pages_of',
      'create table pages_of (a bigint, b int, name varchar(20), primary key (b, a))',
      `insert into pages_of values ${rows}`,
    ];
    await postgres(PG, make);
    await mysqlRun(MARIADB, make);
    for (const [source_id, connection_string] of [
      ['pg-pages', PG],
      ['my-pages', MARIADB],
    ] as const) {
      await harness.call('source_connect', { source_id, connection_string });
      expect(await harness.call('source_sync', { source_id, tables: ['pages_of'] })).toMatchObject({
        rows_added: 700,
        errors: [],
      });
      expect(await harness.call('source_sync', { source_id, tables: ['pages_of'], mode: 'incremental' })).toMatchObject(
        { rows_read: 700, rows_added: 0, rows_forgotten: 0 },
      );
    }
  });

  it.each([
    ['bytes-pg', PG, 'bytea', (hex: string) => `'\\x${hex}'`],
    ['bytes-my', MARIADB, 'varbinary(8)', (hex: string) => `x'${hex}'`],
  ] as const)('unique bytes name rows and are referenced: %s', async (source_id, connection_string, type, bytes) => {
    const make = [
      'drop table if exists prints_by_hash',
      'drop table if exists hashed_files',
      `create table hashed_files (id int primary key, name varchar(20), hash ${type} not null unique)`,
      `create table prints_by_hash (hash ${type} not null unique, name varchar(20), foreign key (hash) references hashed_files (hash))`,
      `insert into hashed_files values (1, 'Plan', ${bytes('00ff')}), (2, 'Map', ${bytes('abcd')})`,
      `insert into prints_by_hash values (${bytes('00ff')}, 'Plan print'), (${bytes('abcd')}, 'Map print')`,
    ];
    await (source_id === 'bytes-pg' ? postgres(connection_string, make) : mysqlRun(connection_string, make));
    await harness.call('source_connect', { source_id, connection_string });
    const tables = ['hashed_files', 'prints_by_hash'];
    expect(await harness.call('source_sync', { source_id, tables })).toMatchObject({ rows_added: 4, errors: [] });
    const nodes = await harness.service.graph.findNodes({ domain: source_id });
    const names = new Map(nodes.filter((n) => n.properties.kind === 'row').map((n) => [n.id, n.name]));
    const edges = (await harness.service.graph.getEdges({ domain: source_id })).filter((e) => names.has(e.source_id));
    expect(edges.map((e) => [names.get(e.source_id), names.get(e.target_id)]).sort()).toEqual([
      ['Map print', 'Map'],
      ['Plan print', 'Plan'],
    ]);
  });
});
