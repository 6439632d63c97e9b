import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DATABASES } from '../fixtures/databases/databases.js';
import { makeMysql, makePostgres } from '../fixtures/databases/servers.js';
import { type Golden, goldenOf } from '../sources/golden.js';
import { type SourcesHarness, sourcesHarness } from '../sources/harness.js';

const golden = JSON.parse(
  readFileSync(new URL('../fixtures/databases/golden.json', import.meta.url), 'utf8'),
) as Record<string, Golden>;

/** A time stamp of PostgreSQL has a zone, which the others have not. */
const zoned = (all: Golden): Golden => ({
  ...all,
  concepts: all.concepts.map((line) => line.replace(/(at: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\b/, '$1+00')),
});

const ENGINES = [
  { engine: 'PostgreSQL', make: makePostgres, url: process.env.PG_URL, shown: zoned },
  { engine: 'MariaDB', make: makeMysql, url: process.env.MARIADB_URL, shown: (all: Golden) => all },
] as const;

describe.each(ENGINES)('sources on $engine', ({ make, url, shown }) => {
  let harness: SourcesHarness;
  beforeAll(async () => {
    harness = await sourcesHarness();
  });
  afterAll(() => harness.close());

  it.each(DATABASES)('reads and loads the database $name as the golden table has it', async (database) => {
    if (url === undefined) throw new Error('PG_URL and MARIADB_URL name the servers; run `npm run test:live`.');
    const { schema, ...made } = await make(database, url);
    expect(await goldenOf(harness, { source_id: database.name, ...made }, schema)).toEqual(
      shown(golden[database.name]!),
    );
  });
});
