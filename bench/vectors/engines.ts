import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { openPostgres } from '../../src/backends/store/engine/postgres.js';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { HnswVectors } from '../../src/backends/vector/hnsw.js';
import { MemoryVectors } from '../../src/backends/vector/memory.js';
import { PgVectors } from '../../src/backends/vector/pgvector.js';
import type { VectorBackend } from '../../src/backends/vector/port.js';
import { QdrantVectors } from '../../src/backends/vector/qdrant.js';

export interface Engine {
  readonly name: string;
  readonly backend: () => VectorBackend;
  /** Waits until everything that is built in the background is there. */
  readonly whenBuilt: () => Promise<void>;
  /** Closes and opens again, as a new process would; absent where nothing is kept. */
  readonly restart?: () => Promise<void>;
  readonly bytesOnDisk?: () => Promise<number>;
  readonly close: () => Promise<void>;
}

/** The engine, or undefined with a line that says which variable is missing. */
export async function openEngine(name: string): Promise<Engine | undefined> {
  if (name === 'memory') return openMemory();
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
    whenBuilt: () => running.backend.whenBuilt(),
    restart: async () => {
      await stop();
      running = await start();
    },
    bytesOnDisk: async () => statSync(join(directory, 'store.db')).size,
    close: async () => {
      await stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function openMemory(): Promise<Engine> {
  const backend = new MemoryVectors();
  await backend.connect();
  return {
    name: 'memory (exact)',
    backend: () => backend,
    whenBuilt: async () => {},
    close: () => backend.disconnect(),
  };
}

async function openPg(url: string): Promise<Engine> {
  const start = async () => {
    const store = await openPostgres(url, { migrate: false });
    const backend = new PgVectors(store, { joinsStore: false });
    await backend.connect();
    return { store, backend };
  };
  let running = await start();
  await running.backend.deleteIndex('bench');
  return {
    name: 'pgvector',
    backend: () => running.backend,
    whenBuilt: () => running.backend.whenBuilt(),
    restart: async () => {
      await running.backend.disconnect();
      running = await start();
    },
    bytesOnDisk: async () => {
      const found = await sql<{ bytes: number }>`select sum(pg_total_relation_size(oid)) as bytes from pg_class
        where relkind = 'r' and relname like 'pgv\_%'`.execute(running.store.db);
      return Number(found.rows[0]?.bytes ?? 0);
    },
    close: async () => {
      await running.backend.deleteIndex('bench');
      await running.backend.disconnect();
    },
  };
}

async function openQdrant(url: string): Promise<Engine> {
  const prefix = `bench-${randomUUID()}-`;
  const start = async () => {
    const opened = new QdrantVectors({ url, prefix });
    await opened.connect();
    return opened;
  };
  let backend = await start();
  return {
    name: process.env.QDRANT_STAND_IN === undefined ? 'qdrant' : 'qdrant (stand-in)',
    backend: () => backend,
    whenBuilt: async () => {},
    restart: async () => {
      backend = await start();
    },
    close: async () => {
      await backend.deleteIndex('bench');
    },
  };
}
