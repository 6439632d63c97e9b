import { describe, expect, it } from '@jest/globals';
import { D, error, id, mentions, passage, source, type With } from './fixture.js';
import { seen } from './worlds.js';

export function checkpointsContract(withGraph: With): void {
  describe('checkpoints', () => {
    const first = source('a', {
      concepts: [{ name: 'A' }, { id: 'own', name: 'B' }],
      edges: [
        { source: 'A', target: 'B', relation: 'USES' },
        { source: 'A', target: 'Late', relation: 'USES' },
      ],
      rules: [{ text: 'Never A.' }],
      passages: [passage('p', { titles: ['Rome'] }), passage('q', {})],
    });

    it(
      'bring back the whole graph as it was',
      withGraph(async ({ graph, replica }) => {
        await graph.ingestManifest(first);
        await graph.setMentions(D, [{ id: 'd:q', mentions: mentions('Rome', 'NASA') }]);
        const before = await seen(graph, D);
        const version = await graph.version();
        const checkpoint = await graph.checkpoint();
        expect(await graph.listCheckpoints()).toMatchObject([{ id: checkpoint, version, nodes: 6, edges: 1 }]);
        await graph.deleteDomain(D);
        await graph.ingestManifest(source('z', { domain: 'z', concepts: [{ name: 'Z' }] }));
        const other = (await replica?.()) ?? null;
        await graph.restore(checkpoint);
        for (const one of other === null ? [graph] : [graph, other]) {
          expect(await seen(one, D)).toEqual(before);
          expect((await one.listDomains()).map((domain) => domain.name)).toEqual([D]);
          expect(await one.version()).toBeGreaterThan(version);
        }
        await graph.ingestManifest(source('b', { concepts: [{ name: 'Late' }] }));
        expect(await graph.getEdges({ target_id: id('Late') })).toHaveLength(1);
      }),
    );

    it(
      'are copies: later writes and other checkpoints do not touch them',
      withGraph(async ({ graph }) => {
        await graph.ingestManifest(first);
        const one = await graph.checkpoint();
        await graph.ingestManifest(source('b', { concepts: [{ name: 'More' }] }));
        const two = await graph.checkpoint();
        await graph.restore(one);
        expect(await graph.getNode(id('More'))).toBeNull();
        await graph.restore(two);
        expect(await graph.getNode(id('More'))).not.toBeNull();
        expect((await graph.listCheckpoints()).map((found) => found.id).sort()).toEqual([one, two].sort());
        await graph.deleteCheckpoint(one);
        expect((await graph.listCheckpoints()).map((found) => found.id)).toEqual([two]);
        expect((await error(graph.restore(one))).code).toBe('checkpoint_not_found');
        expect((await error(graph.deleteCheckpoint('none'))).code).toBe('checkpoint_not_found');
      }),
    );

    it(
      'say what differs from the graph they replaced',
      withGraph(async ({ graph }) => {
        await graph.ingestManifest(first);
        const checkpoint = await graph.checkpoint();
        expect(await graph.restore(checkpoint)).toEqual({ changed: [], removed: [] });
        await graph.ingestManifest(source('b', { concepts: [{ name: 'A', description: 'other' }, { name: 'New' }] }));
        await graph.ingestManifest(source('a', { concepts: [{ id: 'own', name: 'B' }], passages: [passage('q', {})] }));
        const { changed, removed } = await graph.restore(checkpoint);
        expect(changed).toEqual([id('A'), 'd:p'].sort());
        expect(removed).toEqual([id('New')]);
        await graph.setMentions(D, [{ id: 'd:q', mentions: mentions('Rome') }]);
        expect(await graph.restore(checkpoint)).toEqual({ changed: [], removed: [] });
      }),
    );

    it(
      'are consistent while writes continue',
      withGraph(async ({ graph }) => {
        await graph.ingestManifest(first);
        const making = graph.checkpoint();
        const pair = (n: number) =>
          source('pair', {
            concepts: [
              { name: 'Left', description: `${n}` },
              { name: 'Right', description: `${n}` },
            ],
          });
        for (let n = 0; n < 10; n += 1) await graph.ingestManifest(pair(n));
        const checkpoint = await making;
        await graph.restore(checkpoint);
        const [left, right] = [await graph.getNode(id('Left')), await graph.getNode(id('Right'))];
        expect(left?.description).toBe(right?.description);
        expect((await graph.getDomain(D))?.concept_count).toBe(left === null ? 2 : 4);
      }),
    );
  });
}
