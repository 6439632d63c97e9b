import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgres } from '../../src/backends/store/postgres.js';
import { openSqlite } from '../../src/backends/store/sqlite.js';
import { HnswVectors } from '../../src/backends/vector/hnsw.js';
import { PgVectors } from '../../src/backends/vector/pgvector.js';
import type { VectorBackend } from '../../src/backends/vector/port.js';
import { QdrantVectors } from '../../src/backends/vector/qdrant.js';

export interface Engine {
  readonly name: string;
  readonly backend: () => VectorBackend;
  /** Waits until everything that is built in the background is there. */
  readonly settled: () => Promise<void>;
  /** Closes and opens again, as a new process would; undefined for servers. */
  readonly restart?: () => Promise<void>;
  readonly bytesOnDisk?: () => number;
  readonly close: () => Promise<void>;
}

/** The engine, or undefined with a line that says which variable is missing. */
export async function openEngine(name: string): Promise<Engine | undefined> {
  if (name === 'hnsw') return openHnsw();
  if (name === 'pgvector' && process.env.PG_URL !== undefined) return openPg(process.env.PG_URL);
  if (name === 'qdrant' && process.env.QDRANT_URL !== undefined) return openQdrant(process.env.QDRANT_URL);
  process.stdout.write(`${name} is left out: ${name === 'qdrant' ? 'QDRANT_URL' : 'PG_URL'} is not set.\n`);
  return undefined;
}

async function openHnsw(): Promise<Engine> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-vectors-'));
  const start = async () => {
    const store = await openSqlite(join(directory, 'store.db'));
    const backend = new HnswVectors(store, { directory: join(directory, 'vectors') });
    await backend.connect();
    return { store, backend };
  };
  let running = await start();
  const stop = async (): Promise<void> => {
    await running.backend.disconnect();
    await running.store.close();
  };
  return {
    name: 'hnsw',
    backend: () => running.backend,
    settled: () => running.backend.settled(),
    restart: async () => {
      await stop();
      running = await start();
    },
    bytesOnDisk: () => statSync(join(directory, 'store.db')).size,
    close: async () => {
      await stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function openPg(url: string): Promise<Engine> {
  const backend = new PgVectors(await openPostgres(url, { migrate: false }), { joinsStore: false });
  await backend.connect();
  await backend.deleteIndex('bench');
  return {
    name: 'pgvector',
    backend: () => backend,
    settled: () => backend.settled(),
    close: async () => {
      await backend.deleteIndex('bench');
      await backend.disconnect();
    },
  };
}

async function openQdrant(url: string): Promise<Engine> {
  const backend = new QdrantVectors({ url, prefix: `bench-${randomUUID()}-` });
  await backend.connect();
  return {
    name: process.env.QDRANT_STAND_IN === undefined ? 'qdrant' : 'qdrant (stand-in)',
    backend: () => backend,
    settled: async () => {},
    close: async () => {
      await backend.deleteIndex('bench');
    },
  };
}
