import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { postgres } from '../fixtures/databases/servers.js';
import { type SourcesHarness, sourcesHarness } from '../sources/harness.js';

const PG = process.env.PG_URL ?? '';

let harness: SourcesHarness;
beforeAll(async () => {
  harness = await sourcesHarness({ SVC_SECRET_KEY: 'a key for this test only' });
  await postgres(PG, ['drop database if exists fixture_enum with (force)', 'create database fixture_enum']);
});
afterAll(() => harness.close());

it('PostgreSQL: a column of an enum type makes the rule that a check constraint with a list makes', async () => {
  const connection_string = Object.assign(new URL(PG), { pathname: '/fixture_enum' }).href;
  await postgres(connection_string, [
    "create type public.state as enum ('open', 'shut', 'owner''s')",
    'create table public.gates (id int primary key, state public.state not null, states public.state[])',
    'create view public.seen as select id, state from public.gates',
  ]);
  const inspected = await harness.call('source_inspect_schema', { source_id: 'enums', connection_string });
  expect(inspected.rules).toEqual([
    {
      table: 'public.gates',
      text: "gates.state must be one of open, shut, owner's",
      sql: `CHECK ("state" IN ('open', 'shut', 'owner''s'))`,
    },
  ]);
});
