import { expect, it, jest } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { Arena } from '../../src/backends/vector/hnsw/scan/arena.js';
import { HnswVectors } from '../../src/backends/vector/hnsw.js';
import { longestTurn } from '../support/longest-turn.js';

it('gives way to the event loop while it follows a commit of many upserts, and then finds all of them', async () => {
  const store = await openSqlite(':memory:');
  const engine = new HnswVectors(store, {});
  await engine.createIndex('i', { dimension: 768 });
  const vector = Float32Array.from({ length: 768 }, (_, d) => Math.sin(d));
  const upserts = Array.from({ length: 20 }, (_, u) => {
    return Array.from({ length: 500 }, (__, i) => ({ id: `${u}-${i}`, vector }));
  });
  const { append } = Arena.prototype;
  const taken = jest.spyOn(Arena.prototype, 'append');
  const longest = await longestTurn((step) => {
    taken.mockImplementation(function (this: Arena, ...vector) {
      step();
      return append.apply(this, vector);
    });
    return store.write(async (scope) => {
      for (const entries of upserts) await engine.upsert('i', entries, scope);
    });
  });
  taken.mockRestore();
  expect(longest).toBeGreaterThan(0);
  expect(longest).toBeLessThanOrEqual(1020);
  expect(await engine.query('i', { vector, topK: 10_000, partitions: [''] })).toHaveLength(10_000);
  await engine.disconnect();
  await store.close();
});
