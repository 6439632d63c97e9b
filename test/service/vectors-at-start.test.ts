import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { addPending, countPending } from '../../src/backends/store/concept-index.js';
import { reachText, withService } from './harness.js';

const root = mkdtempSync(join(tmpdir(), 'vectors-at-start-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

it('a start embeds what a process that was killed had not embedded yet', async () => {
  const environment = { SVC_DATA_DIR: join(root, 'data') };
  const id = await withService(environment, async (test) => {
    for (const name of ['tower', 'voss'] as const) await test.post('/v1/ingest/text', reachText(name));
    const { graph, store, vectors, concepts } = test.service;
    const [node] = await graph.findNodes({ kind: 'passage' });
    const { indexName } = await concepts.current();
    // As a kill leaves it between the commit of a write and its vectors.
    await vectors.delete(indexName, { ids: [node!.id] });
    await store.write(({ db }) => addPending(db, indexName, [node!.id]));
    return node!.id;
  });
  await withService(environment, async (test) => {
    const { store, vectors, concepts } = test.service;
    const { indexName } = await concepts.current();
    expect(await countPending(store.db, indexName)).toBe(0);
    expect([...(await vectors.fetch(indexName, [id])).keys()]).toEqual([id]);
    expect((await test.get('/v1/status')).body).not.toHaveProperty('problems');
  });
});
