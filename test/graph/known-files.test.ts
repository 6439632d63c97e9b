import { expect, it } from '@jest/globals';
import { InMemoryBackend } from '../../src/backends/graph/memory.js';
import { knownFiles } from '../../src/ingest/known-files.js';
import { fileSource } from '../../src/ingest/sources.js';
import { source } from '../contracts/graph/fixture.js';

it('the store is asked for many files at once which of them a domain holds', async () => {
  const graph = new InMemoryBackend();
  await graph.connect();
  try {
    const paths = Array.from({ length: 1200 }, (_, i) => `/absent/${i}/package.json`);
    const known = paths.filter((_, i) => i % 3 === 0);
    await graph.ingestManifests(
      known.map((path) => ({
        ...source(path, {}),
        source: fileSource('d', { path, name: 'package.json' }),
        domain: 'd',
      })),
    );
    let calls = 0;
    const counted = {
      listSources: (filter: Parameters<typeof graph.listSources>[0]) => {
        calls += 1;
        return graph.listSources(filter);
      },
    } as typeof graph;
    expect([...(await knownFiles({ graph: counted }, { domain: 'd', paths }))]).toEqual(known);
    expect(calls).toBe(3);
    expect([...(await knownFiles({ graph: counted }, { domain: 'other', paths }))]).toEqual([]);
    expect([...(await knownFiles({ graph: counted }, { domain: 'd', paths: [] }))]).toEqual([]);
    expect(calls).toBe(6);
  } finally {
    await graph.disconnect();
    await graph.store.close();
  }
});
