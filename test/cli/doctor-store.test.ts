import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { HnswVectors } from '../../src/backends/vector/hnsw.js';
import { examineStore } from '../../src/cli/examine-store.js';
import { loadConfig } from '../../src/config.js';
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
