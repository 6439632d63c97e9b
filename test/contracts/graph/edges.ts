import { describe, expect, it } from '@jest/globals';
import { bySample } from '../../../src/backends/graph/sample.js';
import { D, id, passage, source, type With } from './fixture.js';

export function edgesContract(withGraph: With): void {
  describe('edges', () => {
    it(
      'join concepts by name or id, once for each pair and relation',
      withGraph(async ({ graph }) => {
        const delta = await graph.ingestManifest(
          source('a', {
            concepts: [{ name: 'Alpha' }, { id: 'own', name: 'Beta' }],
            edges: [
              { source: 'alpha', target: 'BETA', relation: 'requires', confidence: 0.5 },
              { source: id('Alpha'), target: 'own', relation: 'REQUIRES', confidence: 0.7, properties: { via: 1 } },
              { source: 'Alpha', target: 'd:own', relation: 'uses' },
              { source: 'Alpha', target: 'Alpha', relation: 'uses' },
            ],
          }),
        );
        expect(delta).toMatchObject({ edges: 3, concepts: 2, warnings: [] });
        const edges = await graph.getEdges({ source_id: id('Alpha') });
        expect(edges.map((edge) => edge.id)).toEqual(
          [`${id('Alpha')}|REQUIRES|d:own`, `${id('Alpha')}|USES|d:own`, `${id('Alpha')}|USES|${id('Alpha')}`].sort(),
        );
        expect(edges.find((edge) => edge.relation_type === 'REQUIRES')).toMatchObject({
          confidence: 0.7,
          properties: { via: 1 },
        });
        expect(await graph.getEdges({ target_id: 'd:own' })).toHaveLength(2);
        expect(await graph.getEdges({ source_id: id('Alpha'), target_id: 'd:own' })).toHaveLength(2);
        expect(await graph.getEdges({ domain: D, limit: 2 })).toEqual(edges.slice(0, 2));
        expect(await graph.getEdges({ domain: 'none' })).toEqual([]);
        expect((await graph.getDomain(D))?.edge_count).toBe(3);
      }),
    );

    it(
      'among nodes are those with both endpoints there, in either direction, and of other filters too',
      withGraph(async ({ graph }) => {
        await graph.ingestManifest(
          source('a', {
            concepts: ['A', 'B', 'C'].map((name) => ({ name })),
            edges: [
              { source: 'A', target: 'B', relation: 'USES' },
              { source: 'B', target: 'A', relation: 'USES' },
              { source: 'A', target: 'A', relation: 'USES' },
              { source: 'B', target: 'C', relation: 'USES' },
              { source: 'C', target: 'd:p', relation: 'USES' },
              { source: 'A', target: 'Late', relation: 'USES' },
            ],
            passages: [passage('p', {})],
          }),
        );
        const among = async (ids: readonly string[], more: object = {}) => {
          const edges = await graph.getEdges({ among: ids, ...more });
          return edges.map((edge) => [edge.source_id, edge.target_id]);
        };
        const [a, b, c] = [id('A'), id('B'), id('C')];
        const all = [
          [a, a],
          [a, b],
          [b, a],
        ].sort();
        expect(await among([a, b])).toEqual(all);
        expect(await among([b, a, b, 'd:none', 'none:at-all'])).toEqual(all);
        expect(await among([b, a], { limit: 2 })).toEqual(all.slice(0, 2));
        expect(await among([a, b, c], { source_id: b })).toEqual(
          [
            [b, a],
            [b, c],
          ].sort(),
        );
        expect(await among([a, b, c], { target_id: c, domain: D })).toEqual([[b, c]]);
        expect(await among([a, b], { target_id: c })).toEqual([]);
        expect(await among([a, b], { domain: 'none' })).toEqual([]);
        expect(await among([c, 'd:p'])).toEqual([[c, 'd:p']]);
        expect(await among([c])).toEqual([]);
        expect(await among([])).toEqual([]);
      }),
    );

    it(
      'wait for endpoints that do not exist, and are seen exactly while both do',
      withGraph(async ({ graph }) => {
        const delta = await graph.ingestManifest(
          source('a', { concepts: [{ name: 'A' }], edges: [{ source: 'A', target: 'Late', relation: 'USES' }] }),
        );
        expect(delta).toMatchObject({
          edges: 0,
          warnings: ['1 edge is waiting for "Late", which does not exist in the domain yet.'],
        });
        expect(await graph.pendingEdgeWarnings(delta.source_id)).toEqual(delta.warnings);
        expect(await graph.pendingEdgeWarnings('unknown')).toEqual([]);
        expect(await graph.getEdges({})).toEqual([]);
        await graph.ingestManifest(source('b', { concepts: [{ name: 'late' }] }));
        expect(await graph.pendingEdgeWarnings(delta.source_id)).toEqual([]);
        expect(await graph.getEdges({})).toMatchObject([{ source_id: id('A'), target_id: id('Late') }]);
        expect((await graph.listSources()).find((found) => found.key === 'a')).toMatchObject({ edges: 1 });
        const b = (await graph.listSources()).find((found) => found.key === 'b')!;
        await graph.forgetSource(b.source_id);
        expect(await graph.getEdges({})).toEqual([]);
        expect((await graph.getDomain(D))?.edge_count).toBe(0);
        expect((await graph.neighbourhood(id('A'), 1)).nodes).toHaveLength(1);
      }),
    );

    it(
      'turn to the concept without a caller id when it comes, and back when it goes',
      withGraph(async ({ graph }) => {
        await graph.ingestManifest(
          source('a', {
            concepts: [{ name: 'A' }, { id: 'n2', name: 'Name' }, { id: 'n1', name: 'name' }],
            edges: [{ source: 'A', target: 'NAME', relation: 'USES' }],
          }),
        );
        const target = async (): Promise<string | undefined> =>
          (await graph.getEdges({ source_id: id('A') }))[0]?.target_id;
        expect(await target()).toBe('d:n1');
        await graph.ingestManifest(source('b', { concepts: [{ name: 'Name' }] }));
        expect(await target()).toBe(id('Name'));
        expect(
          (await graph.personalizedPagerank([{ id: id('A'), weight: 1 }], { epsilon: 0 })).scores.has('d:n1'),
        ).toBe(false);
        const b = (await graph.listSources()).find((found) => found.key === 'b')!;
        await graph.forgetSource(b.source_id);
        expect(await target()).toBe('d:n1');
      }),
    );

    it(
      'of several sources show the surest, and outlive any of them',
      withGraph(async ({ graph }) => {
        const says = (confidence: number) => ({
          concepts: [{ name: 'A' }, { name: 'B' }],
          edges: [{ source: 'A', target: 'B', relation: 'USES', confidence }],
        });
        await graph.ingestManifest(source('a', says(0.9)));
        await graph.ingestManifest(source('b', says(0.5)));
        expect(await graph.getEdges({})).toMatchObject([{ confidence: 0.9 }]);
        const a = (await graph.listSources()).find((found) => found.key === 'a')!;
        expect(await graph.forgetSource(a.source_id)).toMatchObject({ changed: [], removed: [] });
        expect(await graph.getEdges({})).toMatchObject([{ confidence: 0.5 }]);
        expect((await graph.getDomain(D))?.edge_count).toBe(1);
      }),
    );

    it(
      'may end at a passage by its id',
      withGraph(async ({ graph }) => {
        await graph.ingestManifest(
          source('e', { concepts: [{ name: 'A' }], edges: [{ source: 'A', target: 'd:p', relation: 'SUPPORTS' }] }),
        );
        expect(await graph.getEdges({})).toEqual([]);
        await graph.ingestManifest(source('p', { passages: [passage('p', {})] }));
        expect(await graph.getEdges({ target_id: 'd:p' })).toHaveLength(1);
      }),
    );

    it(
      'are added one by one, each a source of its own',
      withGraph(async ({ graph }) => {
        await graph.addEdge({ domain: D, source: 'A', target: 'B', relation: 'uses' });
        await graph.addNode({ domain: D, name: 'A' });
        await graph.addNode({ domain: D, name: 'B' });
        expect(await graph.getEdges({})).toMatchObject([{ relation_type: 'USES', confidence: 1 }]);
        expect((await graph.listSources({ kind: 'client' })).length).toBe(3);
      }),
    );
  });

  describe('neighbourhood', () => {
    it(
      'walks typed edges both ways, nearest first, up to three hops',
      withGraph(async ({ graph }) => {
        const names = ['A', 'B', 'C', 'E', 'F'];
        const edges = names.slice(1).map((target, i) => ({
          source: i % 2 === 0 ? names[i]! : target,
          target: i % 2 === 0 ? target : names[i]!,
          relation: 'USES',
        }));
        await graph.ingestManifest(source('a', { concepts: names.map((name) => ({ name })), edges }));
        const hops = async (depth: number): Promise<string[]> =>
          (await graph.neighbourhood(id('A'), depth)).nodes.map((node) => node.name);
        expect(await hops(1)).toEqual(['A', 'B']);
        expect(await hops(2)).toEqual(['A', 'B', 'C']);
        expect(await hops(9)).toEqual(['A', 'B', 'C', 'E']);
        expect((await graph.neighbourhood(id('A'), 2)).edges).toHaveLength(2);
        expect((await graph.neighbourhood(id('A'), 3, 2)).nodes).toHaveLength(2);
        expect(await graph.neighbourhood('d:none', 1)).toEqual({ nodes: [], edges: [] });
      }),
    );

    it(
      'says where it holds not all of the nodes, and then keeps the same ones',
      withGraph(async ({ graph }) => {
        const spokes = Array.from({ length: 12 }, (_, i) => `S${i}`);
        const edges = [
          ...spokes.map((target) => ({ source: 'Hub', target, relation: 'USES' })),
          { source: 'S0', target: 'Far', relation: 'USES' },
          { source: 'S1', target: 'S2', relation: 'USES' },
        ];
        const concepts = ['Hub', 'Far', ...spokes].map((name) => ({ name }));
        await graph.ingestManifest(source('a', { concepts, edges }));
        const around = (depth: number, limit?: number) => graph.neighbourhood(id('Hub'), depth, limit);
        const chosen = spokes.map((name) => id(name)).sort(bySample);
        for (const limit of [1, 4, 12, 13, 14]) {
          for (const depth of [1, 2]) {
            const { nodes, edges: shown, truncated } = await around(depth, limit);
            const kept = [id('Hub'), ...chosen.slice(0, limit - 1).sort(), ...(limit === 14 ? [id('Far')] : [])];
            const expected = depth === 1 ? kept.filter((one) => one !== id('Far')) : kept;
            expect(nodes.map((node) => node.id)).toEqual(expected);
            const among = await graph.getEdges({ among: expected });
            expect(shown).toEqual(depth === 1 ? among.filter((edge) => edge.source_id === id('Hub')) : among);
            expect([limit, depth, truncated]).toEqual([limit, depth, limit < (depth === 1 ? 13 : 14) || undefined]);
          }
        }
        expect(await around(1)).not.toHaveProperty('truncated');
      }),
    );
  });
}
