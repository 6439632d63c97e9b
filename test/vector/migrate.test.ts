import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { Store } from '../../src/backends/store/scope.js';
import { parseFilter } from '../../src/backends/vector/filter.js';
import { HnswVectors } from '../../src/backends/vector/hnsw.js';
import { MemoryVectors } from '../../src/backends/vector/memory.js';
import { VectorMigrations } from '../../src/backends/vector/migrate.js';
import { CURSOR_INDEX, type VectorEntry } from '../../src/backends/vector/port.js';
import { seededRandom } from '../../src/core/random.js';

describe('migration between vector engines', () => {
  let store: Store;
  let current: HnswVectors;
  let other: MemoryVectors;
  let migrations: VectorMigrations;
  const random = seededRandom(9);
  const entries = (from: number, to: number): VectorEntry[] =>
    Array.from({ length: to - from }, (_, i) => ({
      id: `n${from + i}`,
      vector: Array.from({ length: 5 }, () => Math.fround(random() * 2 - 1)),
      metadata: { i: from + i, deep: { odd: (from + i) % 2 === 1 } },
      partition: `p${(from + i) % 3}`,
      ...(i % 4 === 0 ? { document: `Document ${from + i}` } : {}),
    }));
  const all = async (backend: MemoryVectors | HnswVectors, name: string): Promise<VectorEntry[]> => {
    const list = await backend.scan(name, { limit: 100_000 });
    return list.sort((a, b) => (a.id < b.id ? -1 : 1));
  };

  beforeEach(async () => {
    store = await openSqlite(':memory:');
    current = new HnswVectors(store);
    await current.connect();
    other = new MemoryVectors();
    migrations = new VectorMigrations({ store, current, open: async () => other });
    await current.createIndex('a', { dimension: 5, metric: 'euclidean' });
    await current.upsert('a', entries(0, 250));
    await current.createIndex('b', { dimension: 5 });
    await current.upsert('b', entries(0, 30));
    await current.createIndex('empty', { dimension: 7, metric: 'dotproduct' });
  });
  afterEach(async () => {
    await current.disconnect();
    await store.close();
  });

  it('copies every index so that each query gives the same answer', async () => {
    const result = await migrations.run({ from: 'embedded', to: 'qdrant', batchSize: 64, dryRun: false });
    expect(result).toMatchObject({
      source_type: 'hnsw',
      dest_type: 'qdrant',
      batches: 5,
      vectors_read: 280,
      vectors_written: 280,
      dry_run: false,
      unequal: 0,
    });
    expect(await other.listIndexes()).toEqual(await current.listIndexes());
    for (const name of ['a', 'b']) expect(await all(other, name)).toEqual(await all(current, name));
    const query = { vector: [1, 0, 0, 0, 0], topK: 20, filter: parseFilter({ 'deep.odd': true }), partitions: ['p1'] };
    expect(await other.query('a', query)).toEqual(await current.query('a', query));
    expect(await store.db.selectFrom('vector_migration').selectAll().execute()).toEqual([]);
  });

  it('leaves the cursor of a follower in its engine', async () => {
    await current.createIndex(CURSOR_INDEX, { dimension: 1 });
    await current.upsert(CURSOR_INDEX, [{ id: 'concepts', vector: [1], metadata: { version: 7 } }]);
    const result = await migrations.run({ from: 'hnsw', to: 'qdrant', batchSize: 64, dryRun: false });
    expect(result).toMatchObject({ vectors_read: 280, vectors_written: 280, unequal: 0 });
    expect((await other.listIndexes()).map(({ name }) => name)).toEqual(['a', 'b', 'empty']);
  });

  it('writes nothing in a dry run', async () => {
    const result = await migrations.run({ from: 'hnsw', to: 'qdrant', batchSize: 100, dryRun: true });
    expect(result).toMatchObject({ batches: 4, vectors_read: 280, vectors_written: 0, dry_run: true });
    expect(await other.listIndexes()).toEqual([]);
  });

  it('refuses an unknown kind, and a kind onto itself', async () => {
    const run = (from: string, to?: string) =>
      migrations.run({ from, ...(to === undefined ? {} : { to }), batchSize: 10, dryRun: false });
    await expect(run('pinecone')).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(run('sqlite', 'hnsw')).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(run('toString')).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('resumes where it was stopped, and repairs what changed before that place', async () => {
    const stop = new AbortController();
    const interrupted = migrations.run({
      from: 'hnsw',
      to: 'qdrant',
      batchSize: 50,
      dryRun: false,
      signal: stop.signal,
      progress: (done) => done >= 150 && stop.abort(),
    });
    await expect(interrupted).rejects.toMatchObject({ code: 'unavailable', retriable: true });
    await current.update('a', { ids: ['n0'] }, { metadata: { changed: true } });
    await current.delete('a', { ids: ['n1'] });
    const result = await migrations.run({ from: 'hnsw', to: 'qdrant', batchSize: 50, dryRun: false });
    expect(result.vectors_read).toBeLessThan(280);
    for (const name of ['a', 'b']) expect(await all(other, name)).toEqual(await all(current, name));
  });

  it('follows writes to the source while it copies', async () => {
    let round = 0;
    const result = await migrations.run({
      from: 'hnsw',
      to: 'qdrant',
      batchSize: 20,
      dryRun: false,
      progress: () => {
        round += 1;
        if (round > 14) return;
        void current.upsert('a', entries(round * 5, round * 5 + 3));
        void current.delete('a', { ids: [`n${200 + round}`] });
        void current.upsert('b', entries(100 + round, 101 + round));
      },
    });
    expect(result.unequal).toBe(0);
    for (const name of ['a', 'b']) expect(await all(other, name)).toEqual(await all(current, name));
  });

  it('leaves what the serving destination has, and adds the rest', async () => {
    await other.createIndex('a', { dimension: 5, metric: 'euclidean' });
    await other.upsert('a', entries(240, 300));
    const mine = new Map((await all(current, 'a')).map((entry) => [entry.id, entry]));
    const result = await migrations.run({ from: 'qdrant', batchSize: 7, dryRun: false });
    expect(result).toMatchObject({ vectors_read: 60, vectors_written: 50, unequal: 10 });
    const after = await all(current, 'a');
    expect(after.length).toBe(300);
    for (const entry of after) if (mine.has(entry.id)) expect(entry).toEqual(mine.get(entry.id));
  });

  it('refuses an index that exists with another dimension', async () => {
    await other.createIndex('b', { dimension: 6 });
    const run = migrations.run({ from: 'hnsw', to: 'qdrant', batchSize: 50, dryRun: false });
    await expect(run).rejects.toMatchObject({ code: 'conflict' });
  });

  it('runs once at a time', async () => {
    const request = { from: 'hnsw', to: 'qdrant', batchSize: 50, dryRun: false };
    const first = migrations.run(request);
    await expect(migrations.run(request)).rejects.toMatchObject({ code: 'conflict' });
    await first;
  });
});
