import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { openPostgres } from '../../src/backends/store/engine/postgres.js';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { Store } from '../../src/backends/store/scope.js';
import { parseFilter } from '../../src/backends/vector/filter.js';
import { HnswVectors } from '../../src/backends/vector/hnsw.js';
import { VectorMigrations } from '../../src/backends/vector/migrate.js';
import { PgVectors } from '../../src/backends/vector/pgvector.js';
import type { Metric, VectorBackend, VectorEntry, VectorQuery } from '../../src/backends/vector/port.js';
import { QdrantVectors } from '../../src/backends/vector/qdrant.js';
import { seededRandom } from '../../src/core/random.js';
import { expectSame } from '../contracts/vector-filter.contract.js';
import { liveUrl } from '../vector/live-engine.js';

const postgres = liveUrl('PG_URL', 'PostgreSQL');
const qdrant = liveUrl('QDRANT_URL', 'Qdrant');
const child = join(import.meta.dirname, '..', 'vector', 'children', 'migrate-until-killed.ts');
const METRICS: readonly Metric[] = ['cosine', 'euclidean', 'dotproduct'];
const random = seededRandom(21);
const vector = (): number[] => Array.from({ length: 12 }, () => Math.fround(random() * 2 - 1));

function entries(count: number): VectorEntry[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `é/${i}`,
    vector: vector(),
    metadata: { i, group: `g${i % 7}`, deep: { half: i % 2 === 0 }, tags: ['x', i] },
    partition: `p${i % 4}`,
    ...(i % 3 === 0 ? { document: `Document ${i}` } : {}),
  }));
}

const queries: VectorQuery[] = [
  { vector: vector(), topK: 10, includeVector: true },
  { vector: vector(), topK: 25, filter: parseFilter({ group: { $in: ['g1', 'g2'] }, 'deep.half': true }) },
  { vector: vector(), topK: 1000, filter: parseFilter({ group: { $gt: 'g4' } }), partitions: ['p1', 'p2'] },
  { vector: vector(), topK: 5, filter: parseFilter({ i: { $gte: 100, $lt: 140 } }) },
];

async function expectSameAnswers(a: VectorBackend, b: VectorBackend): Promise<void> {
  for (const metric of METRICS) {
    for (const query of queries) expectSame(await a.query(metric, query), await b.query(metric, query));
  }
}

(postgres === undefined || qdrant === undefined ? describe.skip : describe)('migration between live engines', () => {
  const sqlite = async (): Promise<{ store: Store; directory: string; close: () => Promise<void> }> => {
    const directory = await mkdtemp(join(tmpdir(), 'svc-migrate-'));
    const store = await openSqlite(join(directory, 'store.db'));
    return {
      store,
      directory,
      close: async () => {
        await store.close();
        await rm(directory, { recursive: true, force: true });
      },
    };
  };

  it('keeps every answer from hnsw to pgvector to Qdrant and back', async () => {
    const { store, close } = await sqlite();
    const name = `migrate_${randomUUID().replaceAll('-', '')}`;
    const admin = await openPostgres(postgres!, { migrate: false, connections: 1 });
    await sql`create database ${sql.ref(name)}`.execute(admin.db);
    const address = new URL(postgres!);
    address.pathname = `/${name}`;
    const open = {
      hnsw: async () => new HnswVectors(store),
      pgvector: async () => new PgVectors(await openPostgres(address.href, { migrate: false }), { joinsStore: false }),
      qdrant: async () => new QdrantVectors({ url: qdrant!, prefix: `${name}-` }),
    };
    const first = new HnswVectors(store);
    await first.connect();
    for (const metric of METRICS) {
      await first.createIndex(metric, { dimension: 12, metric });
      await first.upsert(metric, entries(300));
    }
    let current: VectorBackend = first;
    for (const kind of ['pgvector', 'qdrant'] as const) {
      const migrations = new VectorMigrations({
        store,
        current,
        open: async (wanted) => {
          const backend = await open[wanted]();
          await backend.connect();
          return backend;
        },
      });
      const result = await migrations.run({ from: current.kind, to: kind, batchSize: 128, dryRun: false });
      expect(result).toMatchObject({ vectors_read: 900, vectors_written: 900, unequal: 0 });
      const next = await open[kind]();
      await next.connect();
      await expectSameAnswers(next, first);
      if (current !== first) await current.disconnect();
      current = next;
    }
    await first.disconnect();
    const again = await sqlite();
    const back = new HnswVectors(again.store);
    await back.connect();
    const migrations = new VectorMigrations({ store: again.store, current, open: async () => back });
    await migrations.run({ from: 'qdrant', to: 'hnsw', batchSize: 100, dryRun: false });
    const last = new HnswVectors(again.store);
    await last.connect();
    await expectSameAnswers(last, current);
    for (const metric of METRICS) await current.deleteIndex(metric);
    await last.disconnect();
    await again.close();
    await close();
    await sql`drop database ${sql.ref(name)} with (force)`.execute(admin.db);
    await admin.close();
  });

  it('resumes after kill -9 and ends equal', async () => {
    const { store, directory, close } = await sqlite();
    const prefix = `kill-${randomUUID()}-`;
    const source = new HnswVectors(store);
    await source.connect();
    for (const metric of METRICS) {
      await source.createIndex(metric, { dimension: 12, metric });
      await source.upsert(metric, entries(200));
    }
    for (const after of [120, 300]) {
      const migration = spawn(process.execPath, ['--import', 'tsx', child, directory, qdrant!, prefix], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await new Promise<void>((resolve) => {
        migration.stdout.on('data', (chunk: Buffer) => {
          if (
            chunk
              .toString()
              .split('\n')
              .some((line) => Number(line) >= after)
          )
            migration.kill('SIGKILL');
        });
        migration.once('close', () => resolve());
      });
    }
    const target = new QdrantVectors({ url: qdrant!, prefix });
    const migrations = new VectorMigrations({ store, current: source, open: async () => target });
    const result = await migrations.run({ from: 'hnsw', to: 'qdrant', batchSize: 50, dryRun: false });
    expect(result.vectors_read).toBeLessThan(600);
    await expectSameAnswers(target, source);
    for (const metric of METRICS) {
      expect((await target.describeIndex(metric)).count).toBe(200);
      await target.deleteIndex(metric);
    }
    await source.disconnect();
    await close();
  });
});
