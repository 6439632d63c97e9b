import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import SqliteDatabase from 'better-sqlite3';
import { type SourcesHarness, sourcesHarness } from './harness.js';

const ROWS = 1200;

let harness: SourcesHarness;
beforeEach(async () => {
  harness = await sourcesHarness({ SVC_EMBEDDING: 'none' });
  const file = `${harness.directory}/shop.db`;
  const database = new SqliteDatabase(file);
  database.exec(
    'create table product (id integer primary key, name text); create table vendor (id integer primary key, name text)',
  );
  database.exec(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS}) insert into product select i, 'Product ' || i from n`,
  );
  database.exec("insert into vendor values (1, 'Uji Teas')");
  database.close();
  await harness.call('source_connect', { source_id: 'shop', connection_string: `sqlite:${file}` });
});
afterEach(() => harness.close());

const states = async () => {
  const { tables } = await harness.call('source_sync_state', { source_id: 'shop' });
  return tables.map(({ name, ...state }: { name: string }) => [name, state]);
};
const never = { schema: 'main', state: 'never', domain: null, mode: null, rows_read: 0 };
const complete = (mode: string, rows: number) => ({
  schema: 'main',
  state: 'complete',
  domain: 'shop',
  mode,
  rows_read: rows,
});

describe('the state of a source', () => {
  it('is that of each table: never read, or read to the end with so many rows', async () => {
    expect(await states()).toEqual([
      ['product', never],
      ['vendor', never],
    ]);
    await harness.call('source_sync', { source_id: 'shop', tables: ['vendor'] });
    expect(await states()).toEqual([
      ['product', never],
      ['vendor', complete('full', 1)],
    ]);
  });

  it('tells of a sync that was interrupted, until the next one ends', async () => {
    const stop = new AbortController();
    const progress = () => stop.abort();
    const interrupted = harness.call(
      'source_sync',
      { source_id: 'shop', tables: ['product'] },
      { signal: stop.signal, progress },
    );
    await expect(interrupted).rejects.toThrow();
    const [[, product]] = await states();
    expect(product).toMatchObject({ state: 'incomplete', mode: 'full', domain: 'shop' });
    expect(product.rows_read).toBeGreaterThan(0);
    expect(product.rows_read).toBeLessThan(ROWS);
    await harness.call('source_sync', { source_id: 'shop' });
    expect(await states()).toEqual([
      ['product', complete('full', ROWS)],
      ['vendor', complete('full', 1)],
    ]);
  });

  it('of a source that is not connected is not found', async () => {
    await expect(harness.call('source_sync_state', { source_id: 'nobody' })).rejects.toMatchObject({
      code: 'source_not_found',
    });
  });
});
