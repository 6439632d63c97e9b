import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DATABASES, writeSqlite } from '../fixtures/databases/databases.js';
import { type Golden, goldenOf } from './golden.js';
import { type SourcesHarness, sourcesHarness } from './harness.js';

const golden = JSON.parse(
  readFileSync(new URL('../fixtures/databases/golden.json', import.meta.url), 'utf8'),
) as Record<string, Golden>;

describe('sources on SQLite', () => {
  let harness: SourcesHarness;
  beforeAll(async () => {
    harness = await sourcesHarness();
  });
  afterAll(() => harness.close());

  it.each(DATABASES)('reads and loads the database $name as the golden table has it', async (database) => {
    const connection_string = writeSqlite(database, harness.directory);
    const found = await goldenOf(harness, { source_id: database.name, connection_string }, (schema) => schema);
    expect(found).toEqual(oneSchema(golden[database.name]!));
  });

  it('covers more than 25 tables in five databases', () => {
    expect(Object.keys(golden)).toHaveLength(5);
    expect(Object.values(golden).flatMap((one) => one.tables).length).toBeGreaterThan(25);
  });
});

/** Without the second schema, and so without the schema in front of names that both have. */
function oneSchema(all: Golden): Golden {
  const main = (lines: readonly string[]): string[] => lines.filter((line) => !line.startsWith('archive.'));
  return {
    tables: main(all.tables),
    edges: main(all.edges),
    rules: main(all.rules).map((rule) => rule.replaceAll('main.', '')),
    concepts: main(all.concepts),
    row_edges: main(all.row_edges),
  };
}
