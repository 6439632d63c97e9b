import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import SqliteDatabase from 'better-sqlite3';
import { sourcesHarness } from './harness.js';

const WORKSHOP = `
  create table customer (id integer primary key, first_name text, last_name text);
  create table staff (id integer primary key, name text, boss_id integer references staff(id));
  create table part (code text primary key, name text, price real);
  create table loan_bike (id integer primary key, name text, lent_to integer references customer(id), due text);
  create table "order" (id integer primary key, customer_id integer references customer(id), problem text);
  create table order_part (order_id integer references "order"(id), part_code text references part(code), quantity integer,
    primary key (order_id, part_code));
  insert into customer values (1, 'Amir', 'Hosseini'), (2, 'Greta', 'Olsen');
  insert into staff values (1, 'Tomasz Wrona', null), (2, 'Beate Falk', 1);
  insert into part values ('DY-SON28', 'Hub dynamo', 74.5), ('BX-442', null, 12);
  insert into loan_bike values (1, 'Blue Whale', 1, '2024-05-20'), (2, 'Old Faithful', 2, '2024-06-01'), (3, 'Red Rock', null, null);
  insert into "order" values (104, 2, 'The light flickers.');
  insert into order_part values (104, 'DY-SON28', 1), (104, 'BX-442', 2);
`;

describe('the text of a row', () => {
  let harness: Awaited<ReturnType<typeof sourcesHarness>>;
  let db: SqliteDatabase.Database;
  const texts = async (): Promise<string[]> =>
    (await harness.service.graph.findNodes({ domain: 'workshop' }))
      .filter(({ properties }) => properties.kind === 'row')
      .map(({ name, description }) => `${name}: ${description}`)
      .sort();
  beforeAll(async () => {
    harness = await sourcesHarness({ SVC_EMBEDDING: 'none' });
    const file = join(harness.directory, 'workshop.db');
    db = new SqliteDatabase(file);
    db.exec(WORKSHOP);
    await harness.call('source_connect', { source_id: 'workshop', connection_string: `sqlite:${file}` });
    await harness.call('source_sync', { source_id: 'workshop' });
  });
  afterAll(async () => {
    db.close();
    await harness.close();
  });

  it('names the rows that it refers to', async () => {
    expect(await texts()).toEqual([
      'Amir Hosseini: ',
      'Beate Falk: staff with boss: Tomasz Wrona.',
      'Blue Whale: loan bike with lent to: Amir Hosseini; due: 2024-05-20.',
      'Greta Olsen: ',
      'Hub dynamo: part with code: DY-SON28; price: 74.5.',
      'Old Faithful: loan bike with lent to: Greta Olsen; due: 2024-06-01.',
      'Red Rock: ',
      'Tomasz Wrona: ',
      'order 104: order with customer: Greta Olsen; problem: The light flickers.',
      'order_part 104/BX-442: order part with part: BX-442; quantity: 2.',
      'order_part 104/DY-SON28: order part with part: Hub dynamo (DY-SON28); quantity: 1.',
      'part BX-442: part with code: BX-442; price: 12.',
    ]);
  });

  it('answers who stands behind a reference', async () => {
    for (const [context, answer] of [
      ['Who has the loan bike Blue Whale?', 'Amir Hosseini'],
      ['Who is the boss of Beate Falk?', 'Tomasz Wrona'],
      ['Which order is of Greta Olsen?', 'The light flickers'],
    ] as const) {
      const { items } = await harness.service.retrieval.query({ context, domains: ['workshop'], top_k: 1 });
      expect(items[0]!.content).toContain(answer);
    }
  });

  it('follows a name that changes, with a full sync and with an incremental one', async () => {
    db.exec("update customer set last_name = 'Tehrani' where id = 1");
    await harness.call('source_sync', { source_id: 'workshop', mode: 'incremental' });
    expect((await texts()).join('\n')).toContain('lent to: Amir Tehrani');
    db.exec("update staff set name = 'Tomasz Kos' where id = 1");
    const { rows_added } = await harness.call('source_sync', { source_id: 'workshop', mode: 'full' });
    expect((await texts()).join('\n')).toContain('boss: Tomasz Kos');
    expect(rows_added).toBeGreaterThan(1);
  });

  it('names no row of a table that nobody synced', async () => {
    const connection_string = `sqlite:${join(harness.directory, 'workshop.db')}`;
    await harness.call('source_connect', { source_id: 'orders', connection_string });
    const order = async (): Promise<string | undefined> =>
      (await harness.service.graph.findNodes({ domain: 'orders' })).find(({ name }) => name === 'order 104')
        ?.description;
    await harness.call('source_sync', { source_id: 'orders', tables: ['order'] });
    expect(await order()).toBe('order with problem: The light flickers.');
    await harness.call('source_sync', { source_id: 'orders' });
    expect(await order()).toBe('order with customer: Greta Olsen; problem: The light flickers.');
    await harness.call('source_sync', { source_id: 'orders', tables: ['order'] });
    expect(await order()).toBe('order with customer: Greta Olsen; problem: The light flickers.');
  });
});
