import { describe, expect, it } from '@jest/globals';
import type { GraphBackend, PprOptions } from '../../../src/backends/graph/port.js';
import { seededRandom } from '../../../src/core/random.js';
import { D, id, mentions, passage, source, type With } from './fixture.js';
import { ReferenceGraph } from './reference/reference-graph.js';

const EXACT: PprOptions = { epsilon: 0, tolerance: 1e-12, maxIterations: 500 };

async function scores(
  graph: GraphBackend,
  seeds: Record<string, number>,
  options: PprOptions = EXACT,
): Promise<Record<string, number>> {
  const list = Object.entries(seeds).map(([node, weight]) => ({ id: node, weight }));
  const result = await graph.personalizedPagerank(list, options);
  return Object.fromEntries([...result.scores].map(([node, score]) => [node, Math.round(score * 1e6) / 1e6]));
}

const line = (names: string[]) => names.slice(1).map((target, i) => ({ source: names[i]!, target, relation: 'USES' }));

/** A world with entity nodes, links and typed edges of many weights. */
async function fill(graph: GraphBackend, seed: number, size: number): Promise<string[]> {
  const random = seededRandom(seed);
  const below = (n: number): number => Math.floor(random() ** 2 * n);
  const concepts = Array.from({ length: size }, (_, i) => ({ id: `c${i}`, name: `Thing ${i}` }));
  const edges = Array.from({ length: size * 2 }, () => ({
    source: `c${below(size)}`,
    target: `c${Math.floor(random() * size)}`,
    relation: random() < 0.5 ? 'USES' : 'REQUIRES',
    confidence: Math.round(random() * 100) / 100,
  }));
  const passages = Array.from({ length: size }, (_, i) =>
    passage(`p${seed}-${i}`, {
      titles: random() < 0.5 ? [`Name ${below(size)}`] : [],
      aliases: [`Alias ${below(size)}`],
    }),
  );
  await graph.ingestManifest(source(`w${seed}`, { concepts, edges, passages }));
  const names = ['Name', 'Alias', 'Thing'];
  await graph.setMentions(
    D,
    passages.map(({ id: node }) => ({
      id: node,
      mentions: mentions(...Array.from({ length: 4 }, () => `${names[below(3)]} ${below(size)}`)),
    })),
  );
  return [...concepts.map((concept) => `d:${concept.id}`), ...passages.map((one) => one.id)];
}

export function pagerankContract(withGraph: With): void {
  describe('personalized PageRank', () => {
    it(
      'restarts at the weighted seeds, follows edges both ways, and gives the best node 1',
      withGraph(async ({ graph }) => {
        await graph.ingestManifest(
          source('a', { concepts: ['A', 'B', 'C', 'Far'].map((name) => ({ name })), edges: line(['A', 'B']) }),
        );
        expect(await scores(graph, { [id('A')]: 1 })).toEqual({ [id('A')]: 1, [id('B')]: 0.5 });
        expect(await scores(graph, { [id('A')]: 1 }, { ...EXACT, damping: 0.8 })).toEqual({
          [id('A')]: 1,
          [id('B')]: 0.8,
        });
        // C has no arcs: its mass goes back to the seeds.
        expect(await scores(graph, { [id('A')]: 3, [id('C')]: 3 })).toEqual({
          [id('A')]: 1,
          [id('C')]: 0.75,
          [id('B')]: 0.5,
        });
        expect(await scores(graph, { [id('C')]: 1 })).toEqual({ [id('C')]: 1 });
      }),
    );

    it(
      'ignores unknown seeds, seeds without weight, and answers nothing without any',
      withGraph(async ({ graph }) => {
        await graph.ingestManifest(source('a', { concepts: [{ name: 'A' }, { name: 'B' }], edges: line(['A', 'B']) }));
        expect(await scores(graph, { 'd:none': 5, [id('B')]: 0, [id('A')]: 0.1 })).toEqual({
          [id('A')]: 1,
          [id('B')]: 0.5,
        });
        expect(await scores(graph, { 'd:none': 5 })).toEqual({});
        expect(await scores(graph, {})).toEqual({});
        expect(await scores(graph, { [id('A')]: 1 }, { ...EXACT, domains: ['other'] })).toEqual({});
      }),
    );

    it(
      'weighs edges by confidence and factor, from the next call on',
      withGraph(async ({ graph }) => {
        const edges = [
          { source: 'A', target: 'B', relation: 'USES', confidence: 0.75 },
          { source: 'C', target: 'A', relation: 'USES', confidence: 0.25 },
          { source: 'A', target: 'A', relation: 'USES' },
        ];
        await graph.ingestManifest(source('a', { concepts: ['A', 'B', 'C'].map((name) => ({ name })), edges }));
        const seed = { [id('A')]: 1 };
        expect(await scores(graph, seed)).toEqual({ [id('A')]: 1, [id('B')]: 0.375, [id('C')]: 0.125 });
        const edge = `${id('A')}|USES|${id('B')}`;
        graph.setEdgeFactors(
          new Map([
            [edge, 1 / 3],
            ['d:x|USES|d:y', 7],
          ]),
        );
        expect(await scores(graph, seed)).toEqual({ [id('A')]: 1, [id('B')]: 0.25, [id('C')]: 0.25 });
        const weights = async (): Promise<number[]> =>
          (await graph.expand([id('B')])).edges.map((found) => found.weight);
        expect(await weights()).toEqual([0.25]);
        await graph.ingestManifest(
          source('b', { edges: [{ source: 'A', target: 'B', relation: 'uses', confidence: 0.9 }] }),
        );
        expect(await weights()).toEqual([0.9 * (1 / 3)]);
        graph.setEdgeFactors(new Map([[edge, 0]]));
        expect(await scores(graph, seed)).toEqual({ [id('A')]: 1, [id('C')]: 0.5 });
        graph.setEdgeFactors(new Map());
        expect(await weights()).toEqual([0.9]);
      }),
    );

    it(
      'walks over entities that at least two passages share',
      withGraph(async ({ graph }) => {
        await graph.ingestManifest(source('a', { passages: [passage('p', {}), passage('q', {}), passage('r', {})] }));
        await graph.setMentions(D, [
          { id: 'd:p', mentions: mentions('Rome', 'Alone') },
          { id: 'd:q', mentions: mentions('Rome') },
        ]);
        expect(await scores(graph, { 'd:p': 1 })).toEqual({ 'd:p': 1, [id('Rome')]: 0.571429, 'd:q': 0.142857 });
      }),
    );

    it(
      'weighs mentions by rarity and frequency, titles twice, links by how many are about the key',
      withGraph(async ({ graph }) => {
        await graph.ingestManifest(
          source('a', {
            passages: [
              passage('p', {}),
              passage('q', { titles: ['Rome'] }),
              passage('r', { titles: ['Rome'] }),
              passage('s', {}),
            ],
          }),
        );
        await graph.setMentions(D, [
          { id: 'd:p', mentions: mentions('Rome', 'Rome') },
          { id: 'd:q', mentions: mentions('Rome') },
        ]);
        const w = Math.log(1 + 4 / 3) / Math.log(5);
        const rome = id('Rome');
        const expected = walk(
          [
            ['d:p', rome, w * (1 + Math.log(2))],
            ['d:q', rome, w * 2],
            ['d:r', rome, w * 2],
            ['d:p', 'd:q', 1.5],
            ['d:p', 'd:r', 1.5],
            ['d:q', 'd:r', 1.5],
          ],
          'd:p',
        );
        const found = await scores(graph, { 'd:p': 1 });
        expect(Object.keys(found)).toHaveLength(4);
        for (const [node, score] of Object.entries(expected)) expect(found[node]).toBeCloseTo(score, 5);
      }),
    );

    it(
      'answers at most the limit, best first, and the version it used',
      withGraph(async ({ graph }) => {
        await fill(graph, 1, 40);
        const result = await graph.personalizedPagerank([{ id: 'd:c1', weight: 1 }], { limit: 7 });
        const list = [...result.scores.values()];
        expect(list).toHaveLength(7);
        expect(list).toEqual([...list].sort((a, b) => b - a));
        expect(list[0]).toBe(1);
        expect(result.version).toBe(await graph.version());
        const again = await graph.personalizedPagerank([{ id: 'd:c1', weight: 1 }], { limit: 7 });
        expect(again).toEqual(result);
      }),
    );

    it(
      'equals the reference where it is exact, and nearly where it is quick',
      withGraph(async ({ graph }) => {
        const reference = new ReferenceGraph();
        for (const seed of [2, 3]) await fill(reference, seed, 60);
        for (const seed of [2, 3]) await fill(graph, seed, 60);
        const random = seededRandom(9);
        const ids = (await reference.findNodes()).map((node) => node.id);
        let overlap = 0;
        const rounds = 20;
        for (let round = 0; round < rounds; round += 1) {
          const seeds = Array.from({ length: 1 + (round % 8) }, () => ({
            id: ids[Math.floor(random() * ids.length)]!,
            weight: random(),
          }));
          const options = { ...EXACT, limit: 10_000 };
          const wanted = (await reference.personalizedPagerank(seeds, options)).scores;
          const exact = (await graph.personalizedPagerank(seeds, options)).scores;
          for (const [node, score] of wanted) expect(Math.abs((exact.get(node) ?? 0) - score)).toBeLessThan(1e-6);
          const quick = [...(await graph.personalizedPagerank(seeds, { limit: 20 })).scores.keys()];
          const best = [...wanted.keys()].slice(0, 20);
          overlap += quick.filter((node) => best.includes(node)).length / Math.min(20, best.length) / rounds;
        }
        expect(overlap).toBeGreaterThan(0.95);
      }),
    );
  });
}

/** The same definition on a handful of arcs, as a linear iteration of its own. */
function walk(arcs: ReadonlyArray<readonly [string, string, number]>, seed: string): Record<string, number> {
  const nodes = [...new Set(arcs.flatMap((arc) => arc.slice(0, 2) as string[]))];
  const degree = (node: string): number =>
    arcs.reduce((sum, [a, b, weight]) => sum + (a === node || b === node ? weight : 0), 0);
  let x: Record<string, number> = Object.fromEntries(nodes.map((node) => [node, 0]));
  for (let step = 0; step < 200; step += 1) {
    const next: Record<string, number> = Object.fromEntries(nodes.map((node) => [node, node === seed ? 0.5 : 0]));
    for (const [a, b, weight] of arcs) {
      next[b]! += (0.5 * x[a]! * weight) / degree(a);
      next[a]! += (0.5 * x[b]! * weight) / degree(b);
    }
    x = next;
  }
  const top = Math.max(...Object.values(x));
  return Object.fromEntries(nodes.map((node) => [node, x[node]! / top]));
}
