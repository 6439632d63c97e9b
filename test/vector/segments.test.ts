import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { Store } from '../../src/backends/store/scope.js';
import { parseFilter } from '../../src/backends/vector/filter.js';
import { GraphFile } from '../../src/backends/vector/hnsw/graph/graph-file.js';
import { type HnswOptions, HnswVectors } from '../../src/backends/vector/hnsw.js';
import type { VectorEntry } from '../../src/backends/vector/port.js';
import { seededRandom } from '../../src/core/random.js';
import { waitFor } from '../support/wait-for.js';

const DIMENSION = 16;
/** Graphs of at most 234 rows of 224 bytes, asked for so many neighbours that they leave nothing out. */
const settings = { buildFrom: 100, exactBelow: 100, quietMs: 1, ef: 400, segmentMegabytes: 0.05 };

describe('an index of many small graphs', () => {
  let directory: string;
  let store: Store;
  let vectors: HnswVectors;
  const random = seededRandom(11);
  const vector = (): number[] => Array.from({ length: DIMENSION }, () => Math.fround(random() * 2 - 1));
  const entries = (from: number, to: number): VectorEntry[] =>
    Array.from({ length: to - from }, (_, i) => ({
      id: `n${from + i}`,
      vector: vector(),
      metadata: { half: (from + i) % 2 === 0 },
    }));
  const start = async (options: Partial<HnswOptions> = {}): Promise<void> => {
    store = await openSqlite(join(directory, 'store.db'));
    vectors = new HnswVectors(store, { directory: join(directory, 'vectors'), settings, ...options });
    await vectors.connect();
    await vectors.createIndex('m', { dimension: DIMENSION });
  };
  const stop = async (): Promise<void> => {
    await vectors.disconnect();
    await store.close();
  };
  const graphFiles = async (): Promise<string[]> =>
    (await readdir(join(directory, 'vectors')).catch(() => [])).filter((file) => file.endsWith('.hnsw')).sort();
  const passed = async (): Promise<string[]> =>
    (await vectors.limits()).flatMap((limit) => (limit.passed ? [limit.message] : []));

  /** Expects ten questions to be answered as a comparison with every vector answers them. */
  const expectExact = async (rounds = 10): Promise<void> => {
    const ids = (await vectors.scan('m', { limit: 100_000 })).map((entry) => entry.id);
    for (let i = 0; i < rounds; i += 1) {
      const query = vector();
      const all = [...(await vectors.score('m', query, ids))].sort((a, b) => b[1] - a[1]);
      const hits = await vectors.query('m', { vector: query, topK: 20 });
      expect(hits.map((hit) => hit.id)).toEqual(all.slice(0, 20).map(([id]) => id));
    }
  };

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'svc-segments-'));
    await start();
  });
  afterEach(async () => {
    await stop();
    await rm(directory, { recursive: true, force: true });
  });

  it('is gone with its files before the engine closes', async () => {
    await vectors.upsert('m', entries(0, 500));
    await vectors.whenBuilt();
    expect(await graphFiles()).not.toEqual([]);
    const remove = GraphFile.prototype.remove;
    const slow = jest.spyOn(GraphFile.prototype, 'remove').mockImplementation(async function (this: GraphFile) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      await remove.call(this);
    });
    try {
      await vectors.deleteIndex('m');
      await vectors.disconnect();
      expect(await graphFiles()).toEqual([]);
    } finally {
      slow.mockRestore();
    }
  });

  it('answers exactly while it grows from graph to graph', async () => {
    for (let from = 0; from < 1500; from += 130) {
      await vectors.upsert('m', entries(from, from + 130));
      await vectors.whenBuilt();
      await expectExact(3);
    }
    expect(await graphFiles()).toHaveLength(7);
    expect(await passed()).toEqual([]);
  });

  it('takes its graphs over after a restart, and writes only what grew', async () => {
    await vectors.upsert('m', entries(0, 1000));
    await vectors.whenBuilt();
    const before = await graphFiles();
    expect(before).toHaveLength(5);
    await stop();
    await start();
    await vectors.delete('m', { ids: ['n3', 'n700'] });
    await vectors.whenBuilt();
    expect(await graphFiles()).toEqual(before);
    await expectExact();
    await vectors.upsert('m', entries(1000, 1600));
    await vectors.whenBuilt();
    const after = await graphFiles();
    expect(after).toHaveLength(7);
    expect(after.filter((file) => before.includes(file))).toHaveLength(4);
    await stop();
    await start();
    await expectExact();
  });

  it('renews graphs whose rows were deleted or replaced, small ones as one', async () => {
    await vectors.upsert('m', entries(0, 1400));
    await vectors.whenBuilt();
    expect(await graphFiles()).toHaveLength(6);
    await vectors.upsert('m', entries(0, 234));
    await vectors.delete('m', { ids: Array.from({ length: 468 - 250 }, (_, i) => `n${250 + i}`) });
    await expectExact();
    await vectors.whenBuilt();
    await expectExact();
    await vectors.delete('m', { filter: parseFilter({ half: true }) });
    await expectExact();
    await vectors.delete('m', { ids: Array.from({ length: 1000 }, (_, i) => `n${i}`) });
    await vectors.whenBuilt();
    await expectExact();
    expect((await vectors.query('m', { vector: vector(), topK: 1000 })).length).toBe(200);
    await vectors.upsert('m', entries(2000, 2300));
    await vectors.whenBuilt();
    expect((await graphFiles()).length).toBeLessThanOrEqual(3);
    await stop();
    await start();
    await expectExact();
    expect((await vectors.describeIndex('m')).count).toBe(500);
  });

  it.each(['cut', 'gone'] as const)(
    'keeps the graphs before a damaged one (%s), and builds the rest',
    async (damage) => {
      await vectors.upsert('m', entries(0, 1000));
      await vectors.whenBuilt();
      await stop();
      const sidecar = JSON.parse(await readFile(join(directory, 'vectors', '1.json'), 'utf8'));
      const files: string[] = sidecar.graphs.map((graph: { file: string }) => graph.file);
      const third = join(directory, 'vectors', files[2]!);
      if (damage === 'cut') await truncate(third, 500);
      else await rm(third);
      await start();
      await vectors.whenBuilt();
      await expectExact();
      const now = await graphFiles();
      expect(now).toHaveLength(5);
      expect(now.filter((file) => files.includes(file))).toEqual(files.slice(0, 2).sort());
    },
  );

  it.each(['names no graphs', 'names a directory'] as const)(
    'starts where the file that lists the graphs %s, and builds them',
    async (damage) => {
      await vectors.upsert('m', entries(0, 150));
      await vectors.whenBuilt();
      await stop();
      const path = join(directory, 'vectors', '1.json');
      const { graphs, ...shape } = JSON.parse(await readFile(path, 'utf8'));
      const named = { ...graphs[0], file: '1-directory', bytes: 0 };
      await mkdir(join(directory, 'vectors', named.file));
      named.bytes = (await stat(join(directory, 'vectors', named.file))).size;
      await writeFile(path, JSON.stringify(damage === 'names no graphs' ? shape : { ...shape, graphs: [named] }));
      await start();
      await vectors.whenBuilt();
      await expectExact();
      const { graphs: now } = JSON.parse(await readFile(path, 'utf8'));
      expect(now.map(({ file }: { file: string }) => file)).toEqual(await graphFiles());
      expect(now).toHaveLength(1);
    },
  );

  it('takes over the one graph of a release that knew no others', async () => {
    await vectors.upsert('m', entries(0, 150));
    await vectors.whenBuilt();
    const before = await graphFiles();
    await stop();
    const path = join(directory, 'vectors', '1.json');
    const { dimension, metric, graphs } = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(path, JSON.stringify({ format: 1, dimension, metric, ...graphs[0] }));
    await start();
    await vectors.whenBuilt();
    expect(await graphFiles()).toEqual(before);
    await expectExact();
  });

  it('scans what its graphs have no room for, says how much, and has room again when it gets more', async () => {
    await vectors.upsert('m', entries(0, 1000));
    await vectors.whenBuilt();
    expect(await vectors.limits()).toEqual([
      { message: expect.stringContaining('SVC_VECTOR_GRAPH_MB') as unknown, passed: false },
    ]);
    for (const [graphMegabytes, beyond] of [
      [0.15, 298],
      [0.05, 766],
      [0, '1,000'],
    ] as const) {
      await stop();
      await start({ graphMegabytes });
      await vectors.whenBuilt();
      await expectExact();
      expect(await passed()).toEqual([expect.stringContaining(`index m: for ${beyond} of its 1,000 vectors`)]);
    }
    await stop();
    await start();
    await vectors.whenBuilt();
    expect(await passed()).toEqual([]);
    await expectExact();
  });

  it('shares its room with other indexes, and gets it when they go', async () => {
    await stop();
    await start({ graphMegabytes: 0.15 });
    await vectors.createIndex('other', { dimension: DIMENSION });
    await vectors.upsert('other', entries(0, 600));
    await vectors.whenBuilt();
    await vectors.upsert('m', entries(0, 600));
    await vectors.whenBuilt();
    expect((await passed()).join()).toMatch(/index m: for 498 of/);
    await expectExact();
    await vectors.deleteIndex('other');
    await waitFor(
      async () => {
        await vectors.whenBuilt();
        expect(await passed()).toEqual([]);
      },
      { timeout: 20_000 },
    );
    await expectExact();
  });
});
