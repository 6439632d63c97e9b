import { expect, it } from '@jest/globals';
import { InMemoryBackend } from '../../src/backends/graph/memory.js';
import { source } from '../contracts/graph/fixture.js';

it('sources are listed whole and in order where several statements read them', async () => {
  const graph = new InMemoryBackend();
  await graph.connect();
  try {
    const manifests = Array.from({ length: 4001 }, (_, i) => source(`key ${i}`, { domain: `d${i % 2}` }));
    await graph.ingestManifests(manifests);
    const ids = async (filter: Parameters<typeof graph.listSources>[0]): Promise<string[]> =>
      (await graph.listSources(filter)).map((found) => found.source_id);
    const all = await ids({});
    expect(new Set(all).size).toBe(4001);
    expect(all).toEqual(all.toSorted());
    expect((await ids({ domain: 'd0' })).length).toBe(2001);
    for (const domains of [undefined, ['d0', 'd1'], ['d1', 'd0', 'absent']]) {
      const of = domains === undefined ? {} : { domains };
      expect(await ids(of)).toEqual(all);
      for (const limit of [1999, 2000, 2001, 4000, 4001, 5000]) {
        expect(await ids({ ...of, limit })).toEqual(all.slice(0, limit));
        expect(await ids({ ...of, limit, after: all[500]! })).toEqual(all.slice(501, 501 + limit));
      }
    }
  } finally {
    await graph.disconnect();
    await graph.store.close();
  }
});
