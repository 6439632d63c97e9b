import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import SqliteDatabase from 'better-sqlite3';
import { type SourcesHarness, sourcesHarness } from './harness.js';

let harness: SourcesHarness;
beforeEach(async () => {
  harness = await sourcesHarness();
});
afterEach(() => harness.close());

it('a key of text that people write stands in the row, one that only programs write does not', async () => {
  const file = join(harness.directory, 'shop.db');
  const db = new SqliteDatabase(file);
  db.exec(`
    create table products (sku text primary key, name text, price integer);
    create table parcels (id char(36) primary key, name text, weight integer);
    create table stock (sku text primary key references products (sku), name text, pieces integer);
    insert into products values ('KLM-2041', 'Copper kettle', 35), ('KLM-2042', 'Tin kettle', 20), ('77', 'Tea strainer', 4),
      ('4711-0815', 'Copper spoon', 6), ('4006381333931', 'Pen', 2);
    insert into parcels values ('0b8f3f0e-7d0c-4b42-9d0a-2f3f4f5a6b7c', 'Grey parcel', 2);
    insert into stock values ('KLM-2041', 'Shelf nine', 3);
  `);
  db.close();
  await harness.call('source_connect', { source_id: 'shop', connection_string: `sqlite:${file}` });
  await harness.call('source_sync', { source_id: 'shop' });
  const texts = new Map(
    (await harness.service.graph.findNodes({ domain: 'shop' }))
      .filter(({ properties }) => properties.kind === 'row')
      .map(({ name, description }) => [name, description]),
  );
  expect(texts.get('Copper kettle')).toBe('products with sku: KLM-2041; price: 35.');
  expect(texts.get('Copper spoon')).toBe('products with sku: 4711-0815; price: 6.');
  expect(texts.get('Pen')).toBe('products with sku: 4006381333931; price: 2.');
  expect(texts.get('Tea strainer')).toBe('products with price: 4.');
  expect(texts.get('Grey parcel')).toBe('parcels with weight: 2.');
  expect(texts.get('Shelf nine')).toBe('stock with sku: Copper kettle (KLM-2041); pieces: 3.');
  const { items } = (await harness.call('query', { context: 'What does KLM-2042 cost?', domains: ['shop'] })) as {
    items: Array<{ content: string }>;
  };
  expect(items[0]!.content).toContain('Tin kettle');
});
