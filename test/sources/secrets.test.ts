import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import SqliteDatabase from 'better-sqlite3';
import { type SourcesHarness, sourcesHarness } from './harness.js';

let harness: SourcesHarness;
beforeEach(async () => {
  harness = await sourcesHarness();
});
afterEach(() => harness.close());

const HASH = `$2b$10$${'N9qo8uLOickgx2ZMRZoMye'}`;

it('passwords, their hashes, tokens and secrets within JSON stay out of the texts of rows', async () => {
  const file = join(harness.directory, 'shop.db');
  const db = new SqliteDatabase(file);
  db.exec(`
    create table users (id integer primary key, name text, email text, password_hash text, "resetToken" text, api_key text,
      must_change_password integer, settings text, dsn text);
    create table words (id integer primary key, token text, meaning text);
    insert into users values (1, 'Anna Ode', 'a@x.example', '${HASH}', 'tok_998877', 'sk-live-1', 1, '{"pin":7,"password":"hunter22"}',
      'mysql://a:hunter22@db/x');
    insert into words values (1, 'Häuser', 'houses');
  `);
  db.close();
  await harness.call('source_connect', { source_id: 'shop', connection_string: `sqlite:${file}` });
  await harness.call('source_sync', { source_id: 'shop' });
  const texts = (await harness.service.graph.findNodes({ domain: 'shop' }))
    .filter(({ properties }) => properties.kind === 'row')
    .map(({ name, description }) => `${name}: ${description}`);
  expect(texts.sort()).toEqual([
    'Anna Ode: users with email: a@x.example; must change password: 1; settings: {"pin":7,"password":"(a secret, left out)"}; dsn: mysql://a:(a secret, left out)@db/x.',
    'words 1: words with token: Häuser; meaning: houses.',
  ]);
});
