import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { TABLES } from '../../src/ledger/checkpoint/table-columns.js';
import { snapshot, type TestService, withService } from './harness.js';
import { stations } from './stations.js';

/** Returns all rows of the tables that a checkpoint keeps, whatever their order. */
async function rowsOf({ service }: TestService): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {};
  for (const name of Object.keys(TABLES)) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(service.store.db);
    all[name] = rows.map((row) => JSON.stringify(row)).sort();
  }
  return all;
}

/** Counts the rows that SQLite wrote since it was opened. */
async function written({ service }: TestService): Promise<number> {
  const { rows } = await service.store.write(({ db }) => sql<{ n: number }>`select total_changes() as n`.execute(db));
  return rows[0]!.n;
}

const concept = (name: string, description = `About ${name}`) => ({ name, description });

async function fill(test: TestService): Promise<void> {
  await test.post('/v1/ingest/text', stations(1, 60));
  await test.post('/v1/ingest/structured', {
    domain: 'ridge',
    source_id: 'tools',
    concepts: ['Sextant', 'Barometer', 'Station 1-3'].map((name) => concept(name)),
    edges: [
      { source: 'Sextant', target: 'Barometer', relation: 'complements' },
      { source: 'Sextant', target: 'Chronometer', relation: 'requires' },
    ],
    rules: [{ text: 'Never open the Barometer.' }],
  });
  for (const text of ['Station 1-4 is dark.', 'The Sextant is lost.']) {
    await test.post('/v1/ingest/message', { domain: 'ridge', session_id: 'watch', role: 'user', text });
  }
  const edit = { domain: 'ridge', type: 'add_concept', name: 'Anemometer', description: 'A tool' };
  expect(await test.post('/v1/edits', edit)).toMatchObject({ status: 200 });
}

/** Changes, adds and removes something in every table. */
async function change(test: TestService): Promise<void> {
  await test.post('/v1/ingest/text', { ...stations(2, 50), name: 'document 1' });
  await test.post('/v1/ingest/structured', {
    domain: 'ridge',
    source_id: 'tools',
    concepts: [concept('Sextant', 'Changed'), concept('Chronometer')],
    edges: [{ source: 'Sextant', target: 'Chronometer', relation: 'requires' }],
  });
  await test.post('/v1/ingest/structured', { domain: 'valley', concepts: [concept('Mill')] });
  const later = { domain: 'ridge', session_id: 'watch', role: 'user', text: 'The Chronometer is found.' };
  await test.post('/v1/ingest/message', later);
}

describe('a restore', () => {
  it('puts every table back to the row, whatever changed, and can go forth and back', async () => {
    await withService({}, async (test) => {
      const { checkpoints } = test.service;
      await fill(test);
      const [first, state] = [await rowsOf(test), await snapshot(test, 'ridge')];
      const { id: before } = await checkpoints.make();
      await change(test);
      const second = await rowsOf(test);
      for (const name of ['source', 'node', 'concept', 'passage', 'key', 'edge', 'session_message']) {
        expect([name, second[name]]).not.toEqual([name, first[name]]);
      }
      const { id: after } = await checkpoints.make();
      await checkpoints.restore(before);
      expect(await rowsOf(test)).toEqual(first);
      expect(await snapshot(test, 'ridge')).toEqual(state);
      await checkpoints.restore(after);
      expect(await rowsOf(test)).toEqual(second);
      await test.delete('/v1/domains/ridge');
      await test.delete('/v1/domains/valley');
      await checkpoints.restore(before);
      expect(await rowsOf(test)).toEqual(first);
      expect(await snapshot(test, 'ridge')).toEqual(state);
    });
  });

  it('writes what differs, and no row that is there already', async () => {
    await withService({}, async (test) => {
      const { checkpoints } = test.service;
      await fill(test);
      const rows = Object.values(await rowsOf(test)).flat().length;
      const { id } = await checkpoints.make();
      await test.post('/v1/ingest/structured', { domain: 'ridge', source_id: 'one', concepts: [concept('Buoy')] });
      const start = await written(test);
      const result = await checkpoints.restore(id);
      expect(result).toMatchObject({ changed: 0, removed: 1 });
      expect(rows).toBeGreaterThan(400);
      expect((await written(test)) - start).toBeLessThan(rows / 4);
    });
  });
});
