import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import SqliteDatabase from 'better-sqlite3';
import { type SourcesHarness, sourcesHarness } from '../sources/harness.js';

let harness: SourcesHarness;
beforeEach(async () => {
  harness = await sourcesHarness();
});
afterEach(() => harness.close());

it('rows of one table stay apart, whatever they are called, and a name that two of them have means neither', async () => {
  const file = join(harness.directory, 'shop.db');
  const db = new SqliteDatabase(file);
  db.exec(`
    create table customers (id integer primary key, name text, city text);
    create table cities (id integer primary key, name text, country text);
    insert into customers values (1, 'Finn Jansen', 'Graz'), (2, 'Finn Jansen', 'Graz'), (3, 'Ada Bly', 'Bonn');
    insert into cities values (1, 'Graz', 'Austria');
  `);
  db.close();
  await harness.call('source_connect', { source_id: 'shop', connection_string: `sqlite:${file}` });
  await harness.call('source_sync', { source_id: 'shop' });
  await harness.call('ingest_structured', {
    domain: 'shop',
    concepts: [{ name: 'Finn Jansen' }, { name: 'Ada Bly' }],
  });
  const { merges, ambiguous } = (await harness.call('entities_resolve', { domain: 'shop', dry_run: true })) as {
    merges: Array<{ from_name: string; into_name: string }>;
    ambiguous: string[];
  };
  expect(merges.map(({ from_name, into_name }) => [from_name, into_name])).toEqual([['Ada Bly', 'Ada Bly']]);
  expect(ambiguous).toEqual(['Finn Jansen']);
});
