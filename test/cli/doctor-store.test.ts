import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import BetterSqlite from 'better-sqlite3';
import { EmbeddedBackend } from '../../src/backends/graph/embedded.js';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { HnswVectors } from '../../src/backends/vector/hnsw.js';
import { compareEngines } from '../../src/cli/compare-engines.js';
import { examineStore } from '../../src/cli/examine-store.js';
import { openStore } from '../../src/compose/engines.js';
import { loadConfig } from '../../src/config.js';
import { tryLock } from '../../src/data-directory.js';
import { createLogger } from '../../src/telemetry/logger.js';
import { reachText, withService } from '../service/harness.js';
import { cleanUp, temporaryDirectory } from './processes.js';

let directory: string;
beforeEach(async () => {
  directory = temporaryDirectory();
  mkdirSync(directory, { recursive: true });
  const store = await openSqlite(join(directory, 'svc.sqlite'));
  const vectors = new HnswVectors(store);
  await vectors.connect();
  await vectors.createIndex('svc_concepts_old_4', { dimension: 4 });
  await vectors.disconnect();
  await store.close();
});
afterAll(cleanUp);

const examined = () => examineStore(loadConfig({ environment: { SVC_DATA_DIR: directory } }));

it('doctor names what interrupted reindexes left in a sound store', async () => {
  expect(await examined()).toMatchObject([
    { name: 'store', state: 'ok' },
    { name: 'concept indexes', state: 'warning', found: expect.stringContaining('svc_concepts_old_4') },
    { name: 'ledger', state: 'ok' },
    { name: 'text index', state: 'ok' },
  ]);
});

it('doctor names a damaged store', async () => {
  const file = join(directory, 'svc.sqlite');
  const bytes = readFileSync(file);
  bytes.fill(0x5a, 8192, 40_960);
  writeFileSync(file, bytes);
  expect(await examined()).toMatchObject([
    { name: 'store', state: 'failed', found: expect.stringContaining('damaged') },
  ]);
});

it('doctor names nodes that the text index or the vectors lack, and counts that differ from rows', async () => {
  const store = await openSqlite(join(directory, 'svc.sqlite'));
  const graph = new EmbeddedBackend(store);
  const { id } = await graph.addNode({ domain: 'd', name: 'One' });
  await store.db.insertInto('text_doc').values({ ref: 1, id: 'd:gone', domain: 1, length: 1, mark: 0 }).execute();
  await store.db.updateTable('domain').set({ rules: 7 }).execute();
  expect(await compareEngines(store)).toMatchObject([
    { name: 'ledger', state: 'warning', found: expect.stringContaining('in d;') },
    { name: 'text index', state: 'warning', found: expect.stringContaining('1 of 1 nodes are missing, 1 are of no') },
  ]);
  await store.db.updateTable('text_doc').set({ id }).execute();
  await store.db.updateTable('domain').set({ rules: 0 }).execute();
  expect((await compareEngines(store)).map((check) => check.state)).toEqual(['ok', 'ok']);
  await store.close();
});

describe('vectors of the concept index', () => {
  const file = () => join(directory, 'svc.sqlite');
  beforeEach(async () => {
    rmSync(directory, { recursive: true });
    await withService({ SVC_DATA_DIR: directory }, async (test) => {
      for (const key of ['tower', 'island'] as const) await test.post('/v1/ingest/text', reachText(key));
    });
  });
  /** Changes one row of the vectors by hand. */
  const damage = (statement: string) => {
    const database = new BetterSqlite(file());
    expect(database.prepare(statement).run().changes).toBe(1);
    database.close();
  };
  const ONE = 'ref = (select min(ref) from vector_row)';

  it.each([
    ['missing', `delete from vector_row where ${ONE}`, '1 of 2 nodes are missing, 0 are of no node;'],
    [
      'of no node',
      `update vector_row set id = 'reach:gone' where ${ONE}`,
      '1 of 2 nodes are missing, 1 are of no node;',
    ],
    [
      'damaged',
      `update vector_row set vector = substr(vector, 1, 100) where ${ONE}`,
      '0 of 2 nodes are missing, 0 are of no node, 1 cannot be read;',
    ],
  ])('that are %s are named, and mended by a repair', async (_, statement, problem) => {
    const vectors = async () => (await examined()).find((check) => check.name === 'vectors');
    expect(await vectors()).toMatchObject({ state: 'ok' });
    damage(statement);
    expect(await vectors()).toMatchObject({ state: 'warning', found: expect.stringContaining(problem) });
    await withService({ SVC_DATA_DIR: directory }, async (test) => {
      expect(await test.service.repair.run()).toMatchObject({ indexed: expect.any(Number) });
    });
    expect(await vectors()).toMatchObject({ state: 'ok' });
  });
});

it.each([
  ['too short', 'substr(vector, 1, 7)'],
  ['too long', 'vector || vector'],
])('doctor names a vector of a named index that is %s; the others are found', async (_, vector) => {
  await withService({ SVC_DATA_DIR: directory }, async (test) => {
    await test.service.vectors.createIndex('shelf', { dimension: 4 });
    await test.service.vectors.upsert(
      'shelf',
      ['a', 'b', 'c'].map((id, i) => ({ id, vector: [1, i, 0, 0] })),
    );
  });
  const database = new BetterSqlite(join(directory, 'svc.sqlite'));
  expect(database.prepare(`update vector_row set vector = ${vector} where id = 'b'`).run().changes).toBe(1);
  database.close();
  expect((await examined()).find(({ name }) => name === 'vectors of shelf')).toMatchObject({
    state: 'warning',
    found: '1 cannot be read (b); upsert them again',
  });
  await withService({ SVC_DATA_DIR: directory }, async ({ service: { vectors } }) => {
    const query = { vector: [1, 1, 0, 0], topK: 3 };
    expect((await vectors.query('shelf', query)).map(({ id }) => id)).toEqual(['c', 'a']);
    await vectors.upsert('shelf', [{ id: 'b', vector: [1, 1, 0, 0] }]);
    expect((await vectors.query('shelf', query)).map(({ id }) => id)).toEqual(['b', 'c', 'a']);
  });
  expect((await examined()).filter(({ name }) => name.startsWith('vectors of'))).toEqual([]);
});

describe('a store that is lost', () => {
  const file = () => join(directory, 'svc.sqlite');
  const config = () => loadConfig({ environment: { SVC_DATA_DIR: directory, SVC_EMBEDDING: 'none' } });
  beforeEach(async () => {
    await (await openStore(config(), createLogger('silent'))).close();
  });

  it.each([
    ['missing', () => rmSync(file())],
    ['empty', () => truncateSync(file(), 0)],
  ])('is not replaced by a new one where its file is %s: start and doctor say so', async (state, lose) => {
    lose();
    const lost = {
      code: 'unavailable',
      message: expect.stringContaining(`svc.sqlite is ${state}, but svc.store.json`),
    };
    await expect(openStore(config(), createLogger('silent'))).rejects.toMatchObject(lost);
    expect(await examined()).toMatchObject([{ name: 'store', state: 'failed', found: lost.message }]);
  });

  it('may begin anew where what came from it is moved away', async () => {
    rmSync(file());
    rmSync(join(directory, 'svc.store.json'));
    await (await openStore(config(), createLogger('silent'))).close();
  });
});

describe('a data directory that cannot be written', () => {
  it('ends the start with one line: a directory where the lock file belongs', () => {
    mkdirSync(join(directory, 'svc.lock'));
    expect(() => tryLock(directory, 'serve')).toThrow(/^The lock file .* cannot be opened; .*\.$/u);
  });

  it('ends the start with one line: half a store', async () => {
    truncateSync(join(directory, 'svc.sqlite'), 20_000);
    await expect(openSqlite(join(directory, 'svc.sqlite'))).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('damaged'),
    });
    expect(await examined()).toMatchObject([{ name: 'store', state: 'failed' }]);
  });
});
