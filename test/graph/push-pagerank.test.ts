import { describe, expect, it } from '@jest/globals';
import { type Arcs, PushScratch, pushPagerank, type WeightedGraph } from '../../src/backends/graph/ppr.js';
import { seededRandom } from '../../src/core/random.js';

type Edge = readonly [from: number, to: number, weight: number];

function randomEdges(random: () => number, size: number): Edge[] {
  return Array.from({ length: size * 3 }, (): Edge => {
    const from = Math.floor(random() * size);
    const to = (from + 1 + Math.floor(random() * (size - 1))) % size;
    return [from, to, 0.1 + random()];
  });
}

function graphOf(size: number, edges: readonly Edge[]): WeightedGraph {
  const arcs = Array.from({ length: size }, (): Array<readonly [number, number]> => []);
  for (const [from, to, weight] of edges) {
    arcs[from]!.push([to, weight]);
    arcs[to]!.push([from, weight]);
  }
  return {
    size,
    degree: (node) => arcs[node]!.reduce((sum, [, weight]) => sum + weight, 0),
    arcs: (node, into: Arcs) => {
      for (const [target, weight] of arcs[node]!) into.push(target, weight);
    },
  };
}

function push(size: number, edges: readonly Edge[], seeds: readonly number[]): Float64Array {
  const weights = seeds.map(() => 1 / seeds.length);
  const options = { damping: 0.5, epsilon: 1e-4, scratch: new PushScratch(size) };
  const { nodes, scores } = pushPagerank(graphOf(size, edges), { nodes: seeds, weights }, options);
  const byNode = new Float64Array(size);
  nodes.forEach((node, i) => {
    byNode[node] = scores[i]!;
  });
  return byNode;
}

function shuffled<T>(random: () => number, items: readonly T[]): T[] {
  const order = items.map((item) => ({ item, at: random() }));
  return order.sort((a, b) => a.at - b.at).map(({ item }) => item);
}

describe('PageRank by push', () => {
  it('gives the same scores however nodes are numbered and arcs are ordered', () => {
    const random = seededRandom('renumbered');
    for (let round = 0; round < 40; round += 1) {
      const size = 20 + Math.floor(random() * 180);
      const edges = randomEdges(random, size);
      const number = shuffled(
        random,
        Array.from({ length: size }, (_, i) => i),
      );
      const renumbered = shuffled(random, edges).map(
        ([from, to, weight]): Edge => [number[to]!, number[from]!, weight],
      );
      const seeds = [0, 1, 2, 3];
      const before = push(size, edges, seeds);
      const after = push(
        size,
        renumbered,
        shuffled(random, seeds).map((seed) => number[seed]!),
      );
      for (let node = 0; node < size; node += 1) expect(after[number[node]!]).toBeCloseTo(before[node]!, 12);
    }
  });

  it('leaves its scratch arrays empty', () => {
    const random = seededRandom('scratch');
    const scratch = new PushScratch(50);
    const graph = graphOf(50, randomEdges(random, 50));
    const seeds = { nodes: [7], weights: [1] };
    const once = pushPagerank(graph, seeds, { damping: 0.5, epsilon: 1e-5, scratch });
    expect(pushPagerank(graph, seeds, { damping: 0.5, epsilon: 1e-5, scratch })).toEqual(once);
    expect([...scratch.residual, ...scratch.estimate, ...scratch.queued].every((value) => value === 0)).toBe(true);
  });
});
