import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type SourcesHarness, sourcesHarness } from '../sources/harness.js';
import { type OwnPostgres, ownPostgres } from './own-servers.js';

const ROWS = 4000;

let server: OwnPostgres;
let harness: SourcesHarness;
beforeAll(async () => {
  server = await ownPostgres();
  harness = await sourcesHarness();
  await sql(
    'create table items (id bigint primary key, name text not null, next_id bigint references items (id))',
    `insert into items select i, 'Item ' || i, null from generate_series(1, ${ROWS}) i`,
    'update items set next_id = id + 1 where id % 2 = 1',
    // Names that break careless quoting.
    'create table "odd ""name\' \n of; drop table items" ("a ""b\'\nc" int primary key, "title" text)',
    `insert into "odd ""name' \n of; drop table items" values (1, 'line one' || chr(10) || 'line "two"')`,
  );
});
afterAll(async () => {
  await harness?.close();
  await server?.stop();
});

async function sql(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

const rows = async () =>
  (await harness.service.graph.findNodes({ domain: 'restarted', limit: 20_000 })).filter(
    (node) => node.properties.kind === 'row',
  );

describe('a source database that is restarted in the middle of a sync', () => {
  it('is left with what was done, and the next sync brings the rest and what changed meanwhile', async () => {
    await harness.call('source_connect', { source_id: 'restarted', connection_string: server.url });
    let crashed = false;
    const first = await harness.call(
      'source_sync',
      { source_id: 'restarted' },
      {
        progress: (done) => {
          if (done < 600 || crashed) return;
          crashed = true;
          server.crash();
        },
      },
    );
    expect(crashed).toBe(true);
    expect(first.errors).toHaveLength(1);
    expect(first.errors[0]).toMatch(new RegExp(`does not answer.*\\d+ of ${ROWS} rows were done`));
    const done = (await rows()).length;
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(ROWS + 1);

    const down = await harness.call('source_sync', { source_id: 'restarted' }).catch((error: unknown) => error);
    expect(down).toMatchObject({ code: 'unavailable' });
    expect((await rows()).length).toBe(done);

    await server.restart();
    await sql('delete from items where id = 1', "update items set name = 'Mended item' where id = 2");
    const second = await harness.call('source_sync', { source_id: 'restarted' });
    expect(second.errors).toEqual([]);
    // One is deleted; one more is the row of the table with the odd name.
    expect(second).toMatchObject({ rows_read: ROWS, rows_forgotten: 1 });
    expect(first.rows_added + second.rows_added).toBe(ROWS + 1 + 1);
    const names = (await rows()).map((node) => node.name);
    expect(names).toHaveLength(ROWS);
    expect(names.filter((name) => ['Item 1', 'Item 2', 'Mended item'].includes(name))).toEqual(['Mended item']);
    const edges = await harness.service.graph.getEdges({ domain: 'restarted', limit: 20_000 });
    const between = edges.filter((edge) => Array.isArray(edge.properties.columns) && edge.source_id !== edge.target_id);
    expect(new Set(between.map((edge) => edge.id)).size).toBe(between.length);
    expect(between.filter((edge) => edge.relation_type === 'PART_OF')).toHaveLength(ROWS / 2 - 1);
    const again = await harness.call('source_sync', { source_id: 'restarted', mode: 'incremental' });
    expect(again).toMatchObject({ rows_added: 0, rows_forgotten: 0, errors: [] });
  });

  it('names with quotes and newlines are read and found', async () => {
    const { items } = await harness.call('query', { context: 'line one line two', domains: ['restarted'], top_k: 3 });
    expect(items[0].content).toContain('line one line "two"');
  });
});
