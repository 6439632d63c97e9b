import { expect, it } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { GraphNode } from '../../src/core/model.js';
import { writeSentences } from '../../src/ingest/write/sync-indexes.js';
import { longestTurn } from '../support/longest-turn.js';

it('gives way to the event loop while it packs the sentence vectors of many passages', async () => {
  const store = await openSqlite(':memory:');
  const ids = Array.from({ length: 4000 }, (_, i) => `d:passage:${i}`);
  const nodes = ids.map((id) => ({ id, kind: 'passage' }) as GraphNode);
  const sentence = Float32Array.from({ length: 256 }, (_, d) => Math.sin(d) / 16);
  const spans = Array.from({ length: 10 }, () => sentence);
  const longest = await longestTurn((step) => {
    const made = {
      vector: sentence,
      get spans() {
        step();
        return spans;
      },
    };
    const vectors = new Map(ids.map((id) => [id, made]));
    return store.write((scope) => writeSentences({ indexName: 'i', model: 'm' }, { nodes, ids, vectors, scope }));
  });
  expect(longest).toBeGreaterThan(0);
  expect(longest).toBeLessThan(30);
  await store.close();
});
