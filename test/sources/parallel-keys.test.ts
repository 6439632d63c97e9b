import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import SqliteDatabase from 'better-sqlite3';
import { type SourcesHarness, sourcesHarness } from './harness.js';

let harness: SourcesHarness;
let connection_string: string;
beforeEach(async () => {
  harness = await sourcesHarness();
  connection_string = `sqlite:${join(harness.directory, 'books.db')}`;
  change(`
    create table author (id integer primary key, name text);
    create table book (id integer primary key, name text, written_by integer references author (id),
      drawn_by integer references author (id));
    insert into author values (1, 'Ines Okafor'), (2, 'Amir Hosseini');
    insert into book values (1, 'Copper kettles of the north', 1, 1), (2, 'Tin pans', 1, 2);
  `);
});
afterEach(() => harness.close());

function change(statements: string): void {
  const db = new SqliteDatabase(connection_string.slice('sqlite:'.length));
  db.exec(statements);
  db.close();
}

/** Returns the edges of the domain as `from to columns`. */
async function edges(): Promise<string[]> {
  const nodes = await harness.service.graph.findNodes({ domain: 'books' });
  const name = (id: string) => nodes.find((node) => node.id === id)!.name;
  const found = await harness.service.graph.getEdges({ domain: 'books' });
  return found
    .map(({ source_id, target_id, properties }) =>
      [name(source_id), name(target_id), (properties.columns as string[]).join('+')].join(' > '),
    )
    .sort();
}

it('two foreign keys that refer to the same row make one edge that names both columns', async () => {
  await harness.call('source_connect', { source_id: 'books', connection_string });
  await harness.call('source_sync', { source_id: 'books' });
  expect(await edges()).toEqual([
    'Copper kettles of the north > Ines Okafor > written_by+drawn_by',
    'Tin pans > Amir Hosseini > drawn_by',
    'Tin pans > Ines Okafor > written_by',
    'book > author > written_by+drawn_by',
  ]);
  change('update book set drawn_by = 2 where id = 1');
  await harness.call('source_sync', { source_id: 'books' });
  expect(await edges()).toContain('Copper kettles of the north > Ines Okafor > written_by');
});

it.each(['Who has written Copper kettles?', 'Who has drawn Copper kettles?'])(
  '%s asks for that edge',
  async (context) => {
    await harness.call('source_connect', { source_id: 'books', connection_string });
    await harness.call('source_sync', { source_id: 'books' });
    const { items } = await harness.call('query', { context, domains: ['books'] });
    const author = items.find(({ content }: { content: string }) => content.startsWith('Ines Okafor'));
    expect(author.metadata.why.path).toMatchObject({ column: 'written_by, drawn_by' });
  },
);
