import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import SqliteDatabase from 'better-sqlite3';
import { sourcesHarness } from './harness.js';

it('a row without a name is named by the one text of its table that is unique, where that is clear', async () => {
  const harness = await sourcesHarness({ SVC_EMBEDDING: 'none' });
  const file = join(harness.directory, 'billing.db');
  const db = new SqliteDatabase(file);
  db.exec(`
    create table plan (code text primary key, fee integer);
    create table invoice (id integer primary key, number text unique, plan text unique references plan (code), due text);
    create table parcel (id integer primary key, label_no text unique, barcode text unique, town text);
    create table account (id integer primary key, email text unique, town text);
    create table visit (id integer primary key, uuid text unique, page_url text unique, town text);
    create table site (id integer primary key, name text, number text unique);
    create table seat (id integer primary key, hall text, place text, unique (hall, place));
    insert into plan values ('gold', 9), ('tin', 1);
    insert into invoice values (1, 'PM-2025-12-007', 'gold', 'May'), (2, null, 'tin', 'June');
    insert into parcel values (1, 'L-1', 'B-1', 'Oslo');
    insert into account values (1, 'ada@example.org', 'Rome');
    insert into visit values (1, 'c0ffee', 'http://a', 'Bern');
    insert into site values (1, 'Quay', 'S-1');
    insert into seat values (1, 'North', '12');
  `);
  db.close();
  const connection_string = `sqlite:${file}`;
  const { tables } = await harness.call('source_inspect_schema', { source_id: 'billing', connection_string });
  const named = Object.fromEntries(
    (tables as Array<{ name: string; name_column: string | null }>).map((one) => [one.name, one.name_column]),
  );
  expect(named).toEqual({
    plan: null,
    invoice: 'number',
    parcel: null,
    account: null,
    visit: null,
    site: 'name',
    seat: null,
  });
  await harness.call('source_connect', { source_id: 'billing', connection_string });
  await harness.call('source_sync', { source_id: 'billing' });
  const rows = (await harness.service.graph.findNodes({ domain: 'billing' }))
    .filter(({ properties }) => properties.kind === 'row')
    .map(({ name }) => name);
  expect(rows).toContain('PM-2025-12-007');
  expect(rows).toContain('invoice 2');
  await harness.close();
});
