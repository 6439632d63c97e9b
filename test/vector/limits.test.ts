import { expect, it } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { passedLimits } from '../../src/backends/vector/hnsw/limits.js';
import { HnswVectors } from '../../src/backends/vector/hnsw.js';
import { withService } from '../service/harness.js';

it('an index whose graph does not fit into memory says so, and is searched exactly', async () => {
  const store = await openSqlite(':memory:');
  const vectors = new HnswVectors(store, { graphMegabytes: 0.01, settings: { buildFrom: 10, quietMs: 1 } });
  await vectors.connect();
  await vectors.createIndex('small', { dimension: 16 });
  await vectors.createIndex('large', { dimension: 16 });
  const entry = (i: number) => ({ id: `v${i}`, vector: Array.from({ length: 16 }, (_, k) => Math.sin(i * 17 + k)) });
  await vectors.upsert('small', [entry(0)]);
  await vectors.upsert(
    'large',
    Array.from({ length: 200 }, (_, i) => entry(i)),
  );
  await vectors.whenBuilt();
  expect((await vectors.query('large', { vector: entry(7).vector, topK: 1 }))[0]?.id).toBe('v7');
  expect(await vectors.limits()).toEqual([
    { message: expect.stringMatching(/take 1 of 1 MB \(SVC_VECTOR_GRAPH_MB\)/) as unknown, passed: false },
    { message: expect.stringMatching(/index large: for 154 of its 200 vectors/) as unknown, passed: true },
  ]);
  await vectors.disconnect();
  await store.close();
});

it('rows beyond the memory of the fast scan are named', () => {
  const index = { live: 3, beyond: 0, exceedsKernels: true };
  expect(passedLimits('i', index)).toEqual([expect.stringContaining('fast scan')]);
  expect(passedLimits('i', { ...index, exceedsKernels: false })).toEqual([]);
});

it('where the limit of the graphs is stands in status, and is a setting', async () => {
  await withService({ SVC_VECTOR_GRAPH_MB: '7' }, async (test) => {
    const { body } = await test.get('/v1/status');
    expect(body.limits).toEqual([expect.stringContaining('take 0 of 7 MB (SVC_VECTOR_GRAPH_MB)')]);
  });
});
