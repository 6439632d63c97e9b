import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { IndexSettings } from '../../src/backends/vector/hnsw/loaded-index.js';
import { HnswVectors } from '../../src/backends/vector/hnsw.js';
import { MemoryVectors } from '../../src/backends/vector/memory.js';
import { vectorContract } from '../contracts/vector.contract.js';
import { vectorFilterContract } from '../contracts/vector-filter.contract.js';
import { vectorSoakContract } from '../contracts/vector-soak.contract.js';

vectorContract('memory', async () => ({ backend: new MemoryVectors(), close: async () => {} }));

async function openHnsw(settings: Partial<IndexSettings>) {
  const directory = await mkdtemp(join(tmpdir(), 'svc-vector-'));
  const store = await openSqlite(join(directory, 'store.db'));
  const backend = new HnswVectors(store, { directory: join(directory, 'vectors'), settings });
  await backend.connect();
  return {
    backend,
    close: async () => {
      await backend.disconnect();
      await store.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

vectorContract('hnsw', () => openHnsw({}));
vectorContract('hnsw with a graph for everything', () =>
  openHnsw({ buildFrom: 1, exactBelow: 1, quietMs: 0, ef: 400 }),
);
vectorContract('hnsw with many small graphs', () =>
  openHnsw({ buildFrom: 1, exactBelow: 1, quietMs: 0, ef: 400, segmentMegabytes: 0.002 }),
);
vectorFilterContract('hnsw', () => openHnsw({}), 1500);

const seconds = Number(process.env.VECTOR_SOAK_SECONDS ?? 2);
vectorSoakContract('memory', async () => ({ backend: new MemoryVectors(), close: async () => {} }), seconds / 4);
vectorSoakContract('hnsw', () => openHnsw({ buildFrom: 200, exactBelow: 200, quietMs: 1 }), seconds);
vectorSoakContract(
  'hnsw with many small graphs',
  () => openHnsw({ buildFrom: 100, exactBelow: 100, quietMs: 1, ef: 400, segmentMegabytes: 0.02 }),
  seconds,
);
