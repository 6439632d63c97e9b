import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import SqliteDatabase from 'better-sqlite3';
import { sourcesHarness } from './harness.js';

it('the path to an item over a foreign key tells its columns', async () => {
  const harness = await sourcesHarness();
  const file = join(harness.directory, 'books.db');
  const db = new SqliteDatabase(file);
  db.exec(`
    create table author (id integer primary key, name text);
    create table shelf (room text, nr integer, name text, primary key (room, nr));
    create table book (id integer primary key, name text, written_by integer references author (id),
      room text, nr integer, foreign key (room, nr) references shelf (room, nr));
    insert into author values (1, 'Ines Okafor');
    insert into shelf values ('attic', 7, 'Under the window');
    insert into book values (1, 'Copper kettles of the north', 1, 'attic', 7);
  `);
  db.close();
  await harness.call('source_connect', { source_id: 'books', connection_string: `sqlite:${file}` });
  await harness.call('source_sync', { source_id: 'books' });
  const { items } = await harness.call('query', { context: 'Copper kettles of the north', domains: ['books'] });
  const paths = new Map(
    items.map((item: { content: string; metadata: { why: { path?: object } } }) => [
      item.content.split('\n')[0],
      item.metadata.why.path,
    ]),
  );
  const path = (name: string) => [...paths].find(([content]) => String(content).startsWith(name))?.[1];
  const from = { name: 'Copper kettles of the north', via: 'USES' };
  expect(path('Ines Okafor')).toMatchObject({ ...from, column: 'written_by' });
  expect(path('Under the window')).toMatchObject({ ...from, column: 'room, nr' });
  await harness.close();
});
