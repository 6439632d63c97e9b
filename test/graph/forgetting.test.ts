import { describe, expect, it } from '@jest/globals';
import { InMemoryBackend } from '../../src/backends/graph/memory.js';
import { mentions, passage, source } from '../contracts/graph/fixture.js';

async function withGraph(work: (graph: InMemoryBackend) => Promise<void>): Promise<void> {
  const graph = new InMemoryBackend();
  await graph.connect();
  try {
    await work(graph);
  } finally {
    await graph.disconnect();
    await graph.store.close();
  }
}

describe('a domain whose last source is forgotten', () => {
  it('disappears, unless somebody created it by name', () =>
    withGraph(async (graph) => {
      await graph.createDomain('named');
      for (const domain of ['named', 'made']) {
        const { source_id } = await graph.ingestManifest(source('a', { domain, concepts: [{ name: 'One' }] }));
        await graph.forgetSource(source_id);
      }
      expect((await graph.listDomains()).map((domain) => domain.name)).toEqual(['named']);
    }));

  it('takes what the service itself asserted of it along', () =>
    withGraph(async (graph) => {
      const { source_id } = await graph.ingestManifest(source('a', { concepts: [{ name: 'One' }, { name: 'Two' }] }));
      const pair = source('interoception', { edges: [{ source: 'One', target: 'Two', relation: 'similar_to' }] });
      await graph.ingestManifest({ ...pair, source: { ...pair.source, kind: 'system' }, append: true });
      await graph.forgetSource(source_id);
      expect(await graph.listSources()).toEqual([]);
      expect(await graph.listDomains()).toEqual([]);
    }));
});

describe('edges that the service itself asserts', () => {
  it('are there, and not among the edges that a domain counts', () =>
    withGraph(async (graph) => {
      const concepts = [{ name: 'One' }, { name: 'Two' }];
      const edges = [{ source: 'One', target: 'Two', relation: 'uses' }];
      await graph.ingestManifest(source('a', { concepts, edges }));
      const provenance = { provenance: 'interoception' };
      const pair = source('interoception', {
        edges: [{ source: 'Two', target: 'One', relation: 'similar_to', properties: provenance }],
      });
      await graph.ingestManifest({ ...pair, source: { ...pair.source, kind: 'system' }, append: true });
      expect((await graph.getEdges()).map((edge) => edge.relation_type).sort()).toEqual(['SIMILAR_TO', 'USES']);
      expect(await graph.getDomain('d')).toMatchObject({ edge_count: 1 });
      expect(await graph.statistics()).toMatchObject({ edges: 1 });
    }));
});

describe('a session', () => {
  it('counts what it mentions as messages come, change and are taken back by a checkpoint', () =>
    withGraph(async (graph) => {
      const says = (turn: number, ...names: string[]) => {
        const one = source('talk', {
          passages: [
            passage(`turn${turn}`, {
              mentions: mentions(...names),
              message: { session_id: 'talk', role: 'user', turn },
            }),
          ],
          append: true,
        });
        return graph.ingestManifest({ ...one, source: { ...one.source, kind: 'session' } });
      };
      expect(await says(0, 'Alpha', 'Beta')).toMatchObject({ concepts: 2, passages: 1 });
      expect(await says(1, 'Beta', 'Gamma')).toMatchObject({ concepts: 3, passages: 2 });
      const id = await graph.checkpoint();
      expect(await says(1, 'Beta')).toMatchObject({ concepts: 2, passages: 2 });
      await graph.restore(id);
      expect((await graph.listSources())[0]).toMatchObject({ concepts: 3, passages: 2 });
    }));
});
