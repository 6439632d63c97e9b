import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { Store } from '../../src/backends/store/scope.js';
import { parseFilter } from '../../src/backends/vector/filter.js';
import { HnswVectors } from '../../src/backends/vector/hnsw.js';
import { NamedIndexes } from '../../src/backends/vector/named-indexes.js';
import type { VectorEntry } from '../../src/backends/vector/port.js';
import { seededRandom } from '../../src/core/random.js';
import { waitFor } from '../support/wait-for.js';

const DIMENSION = 16;
/** A graph from 300 rows on, so that tests are quick. */
const settings = { buildFrom: 300, exactBelow: 300, quietMs: 5 };

describe('named indexes on hnsw', () => {
  it('keep what was acknowledged when another first upsert is refused', async () => {
    const store = await openSqlite(':memory:');
    const engine = new HnswVectors(store, {});
    const named = new NamedIndexes(engine, 'svc_');
    for (let i = 0; i < 20; i += 1) {
      const refused = named.upsert(`i${i}`, { vectors: [[1, 2]], metadata: [{ bad: 'a\0' }] });
      const good = named.upsert(`i${i}`, { vectors: [[1, 0]], ids: ['kept'] });
      await expect(refused).rejects.toMatchObject({ code: 'invalid_input' });
      expect(await good).toEqual(['kept']);
      expect((await named.describe(`i${i}`)).count).toBe(1);
    }
    await engine.disconnect();
    await store.close();
  });
});

describe('hnsw', () => {
  let directory: string;
  let store: Store;
  let vectors: HnswVectors;
  const random = seededRandom(5);
  const vector = (): number[] => Array.from({ length: DIMENSION }, () => Math.fround(random() * 2 - 1));
  const entries = (from: number, to: number): VectorEntry[] =>
    Array.from({ length: to - from }, (_, i) => ({
      id: `n${from + i}`,
      vector: vector(),
      metadata: { group: (from + i) % 100, half: (from + i) % 2 === 0 },
      partition: (from + i) % 50 === 0 ? 'small' : 'big',
    }));
  const start = async (): Promise<void> => {
    store = await openSqlite(join(directory, 'store.db'));
    vectors = new HnswVectors(store, { directory: join(directory, 'vectors'), settings });
    await vectors.connect();
  };
  const stop = async (): Promise<void> => {
    await vectors.disconnect();
    await store.close();
  };
  const graphFiles = async (): Promise<string[]> => readdir(join(directory, 'vectors')).catch(() => []);

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'svc-hnsw-'));
    await start();
    await vectors.createIndex('m', { dimension: DIMENSION });
  });
  afterEach(async () => {
    await stop();
    await rm(directory, { recursive: true, force: true });
  });

  const exact = async (query: number[], topK: number): Promise<string[]> => {
    const ids = (await vectors.scan('m', { limit: 100_000 })).map((entry) => entry.id);
    const scores = [...(await vectors.score('m', query, ids))];
    return scores
      .sort((a, b) => b[1] - a[1])
      .slice(0, topK)
      .map(([id]) => id);
  };
  const recall = async (rounds = 40): Promise<number> => {
    let found = 0;
    for (let i = 0; i < rounds; i += 1) {
      const query = vector();
      const wanted = new Set(await exact(query, 10));
      const hits = await vectors.query('m', { vector: query, topK: 10 });
      expect(hits.length).toBe(10);
      found += hits.filter((hit) => wanted.has(hit.id)).length;
    }
    return found / (10 * rounds);
  };

  it('finds through the graph what an exact scan finds, rows that came after it included', async () => {
    await vectors.upsert('m', entries(0, 2000));
    await vectors.whenBuilt();
    expect(await recall()).toBeGreaterThanOrEqual(0.98);
    const added = vector();
    await vectors.upsert('m', [{ id: 'late', vector: added }]);
    expect((await vectors.query('m', { vector: added, topK: 1 }))[0]?.id).toBe('late');
  });

  it('never returns a deleted or replaced vector from the graph', async () => {
    await vectors.upsert('m', entries(0, 1000));
    await vectors.whenBuilt();
    const target = vector();
    await vectors.upsert('m', [{ id: 'n5', vector: target }]);
    await vectors.delete('m', { filter: parseFilter({ half: true }) });
    const hits = await vectors.query('m', { vector: target, topK: 1000 });
    expect(hits.length).toBe((await vectors.describeIndex('m')).count);
    expect(hits[0]).toMatchObject({ id: 'n5', metadata: {} });
    expect(hits.every((hit) => hit.metadata.half !== true)).toBe(true);
    expect(new Set(hits.map((hit) => hit.id)).size).toBe(hits.length);
  });

  it('answers filters that pass many, few and no rows completely', async () => {
    await vectors.upsert('m', entries(0, 3000));
    await vectors.whenBuilt();
    for (const [wire, count] of [
      [{ half: true }, 1000],
      [{ group: 7 }, 30],
      [{ group: { $ne: 7 } }, 1000],
      [{ group: -1 }, 0],
    ] as const) {
      const hits = await vectors.query('m', { vector: vector(), topK: 1000, filter: parseFilter(wire) });
      expect(hits.length).toBe(count);
    }
    expect((await vectors.query('m', { vector: vector(), topK: 100, partitions: ['small'] })).length).toBe(60);
  });

  it('serves after a restart what was there before, from rows and the graph file', async () => {
    await vectors.upsert('m', entries(0, 1500));
    await vectors.whenBuilt();
    const query = { vector: vector(), topK: 20, filter: parseFilter({ half: false }) };
    const before = await vectors.query('m', query);
    await stop();
    expect(await graphFiles()).toHaveLength(2);
    await start();
    expect(await vectors.query('m', query)).toEqual(before);
    await vectors.whenBuilt();
    expect(await recall(10)).toBeGreaterThanOrEqual(0.98);
  });

  it('catches up with writes that the graph file does not know', async () => {
    await vectors.upsert('m', entries(0, 1000));
    await vectors.whenBuilt();
    const added = entries(1000, 1050);
    await vectors.upsert('m', added);
    await vectors.delete('m', { ids: ['n3', 'n4'] });
    await stop();
    await start();
    await vectors.whenBuilt();
    expect((await vectors.describeIndex('m')).count).toBe(1048);
    const all = await vectors.query('m', { vector: added[7]!.vector, topK: 1000 });
    expect(all[0]?.id).toBe(added[7]!.id);
    expect(all.some((hit) => hit.id === 'n3')).toBe(false);
    expect(await recall(10)).toBeGreaterThanOrEqual(0.98);
  });

  it.each(['cut', 'bytes', 'sidecar', 'gone'] as const)('rebuilds a damaged graph file (%s)', async (damage) => {
    await vectors.upsert('m', entries(0, 800));
    await vectors.whenBuilt();
    await stop();
    const folder = join(directory, 'vectors');
    const graph = join(folder, (await graphFiles()).find((file) => file.endsWith('.hnsw'))!);
    const bytes = await readFile(graph);
    if (damage === 'cut') await writeFile(graph, bytes.subarray(0, bytes.length / 2));
    if (damage === 'bytes') await writeFile(graph, bytes.fill(0xff, 5000, 6000));
    if (damage === 'sidecar') await writeFile(join(folder, '1.json'), '{"format":');
    if (damage === 'gone') await rm(graph);
    await start();
    await vectors.whenBuilt();
    expect(await recall(10)).toBeGreaterThanOrEqual(0.98);
  });

  it('ignores the graph file of another store', async () => {
    await vectors.upsert('m', entries(0, 800));
    await vectors.whenBuilt();
    await stop();
    for (const suffix of ['', '-wal', '-shm']) await rm(join(directory, `store.db${suffix}`), { force: true });
    await start();
    await vectors.createIndex('m', { dimension: DIMENSION });
    await vectors.upsert('m', entries(5000, 5800));
    await stop();
    await start();
    await vectors.whenBuilt();
    expect(await recall(10)).toBeGreaterThanOrEqual(0.98);
  });

  it('shows a scoped write when it commits, and nothing of one that fails', async () => {
    await vectors.upsert('m', entries(0, 10));
    const query = { vector: vector(), topK: 100 };
    await store.write(async (scope) => {
      await vectors.upsert('m', entries(10, 20), scope);
      await vectors.delete('m', { ids: ['n1'] }, scope);
      expect((await vectors.query('m', query)).length).toBe(10);
    });
    expect((await vectors.query('m', query)).length).toBe(19);
    const failed = store.write(async (scope) => {
      await vectors.upsert('m', entries(0, 40), scope);
      await vectors.delete('m', { partition: 'big' }, scope);
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect((await vectors.query('m', query)).length).toBe(19);
    expect((await vectors.scan('m', { limit: 100 })).length).toBe(19);
  });

  it('lets a write by filter see writes that wait for the same commit', async () => {
    await vectors.upsert('m', entries(0, 10));
    const results = await Promise.all([
      vectors.upsert('m', [{ id: 'new', vector: vector(), metadata: { group: 3 } }]),
      vectors.update('m', { ids: ['n7'] }, { metadata: { group: 3 } }),
      vectors.delete('m', { filter: parseFilter({ group: 3 }) }),
      vectors.update('m', { filter: parseFilter({ group: 3 }) }, { metadata: { late: true } }),
    ]);
    expect(results.slice(1)).toEqual([1, 3, 0]);
    expect((await vectors.describeIndex('m')).count).toBe(8);
  });

  it('keeps every answer right while most rows are replaced again and again', async () => {
    for (let round = 0; round < 12; round += 1) {
      await vectors.upsert('m', entries(0, 900));
      const hits = await vectors.query('m', { vector: vector(), topK: 1000, filter: parseFilter({ half: true }) });
      expect(hits.length).toBe(450);
    }
    await vectors.whenBuilt();
    expect((await vectors.query('m', { vector: vector(), topK: 1000 })).length).toBe(900);
    expect(await recall(10)).toBeGreaterThanOrEqual(0.98);
  });

  it('forgets the rows of a deleted index', async () => {
    await vectors.upsert('m', entries(0, 1200));
    await vectors.deleteIndex('m');
    await stop();
    await start();
    await waitFor(async () => {
      expect(await store.db.selectFrom('vector_row').select('ref').limit(1).execute()).toEqual([]);
    });
  });

  it('decides filters over more members than it keeps columns for', async () => {
    const metadata = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`m${i}`, i]));
    await vectors.upsert('m', [...entries(0, 50), { id: 'wide', vector: vector(), metadata }]);
    const hits = await vectors.query('m', { vector: vector(), topK: 10, filter: parseFilter(metadata) });
    expect(hits.map((hit) => hit.id)).toEqual(['wide']);
    for (let i = 0; i < 40; i += 1) {
      const filter = parseFilter({ [`m${i}`]: i });
      expect((await vectors.query('m', { vector: vector(), topK: 10, filter })).length).toBe(1);
    }
  });
});
