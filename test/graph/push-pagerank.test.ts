import { describe, expect, it } from '@jest/globals';
import {
  type Arcs,
  bestScored,
  exactPagerank,
  PushScratch,
  pushPagerank,
  type WeightedGraph,
} from '../../src/backends/graph/ppr.js';
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

async function push(size: number, edges: readonly Edge[], seeds: readonly number[]): Promise<Float64Array> {
  const weights = seeds.map(() => 1 / seeds.length);
  const options = { damping: 0.5, epsilon: 1e-4, scratch: new PushScratch(size) };
  const { nodes, scores } = await pushPagerank(graphOf(size, edges), { nodes: seeds, weights }, options);
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
  it('gives the same scores however nodes are numbered and arcs are ordered', async () => {
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
      const before = await push(size, edges, seeds);
      const after = await push(
        size,
        renumbered,
        shuffled(random, seeds).map((seed) => number[seed]!),
      );
      for (let node = 0; node < size; node += 1) expect(after[number[node]!]).toBeCloseTo(before[node]!, 12);
    }
  });

  it('leaves its scratch arrays empty', async () => {
    const random = seededRandom('scratch');
    const scratch = new PushScratch(50);
    const graph = graphOf(50, randomEdges(random, 50));
    const seeds = { nodes: [7], weights: [1] };
    const once = await pushPagerank(graph, seeds, { damping: 0.5, epsilon: 1e-5, scratch });
    expect(await pushPagerank(graph, seeds, { damping: 0.5, epsilon: 1e-5, scratch })).toEqual(once);
    expect([...scratch.residual, ...scratch.estimate, ...scratch.queued].every((value) => value === 0)).toBe(true);
  });

  it('walks a node at which very many hang once, and orders as the exact scores do', async () => {
    // Every leaf hangs at the hub alone, but a hundred that are joined in pairs.
    const leaves = 40_000;
    const edges = Array.from({ length: leaves }, (_, i): Edge => [0, i + 1, 0.1]);
    for (let i = 1; i < 100; i += 2) edges.push([i, i + 1, 0.5]);
    const graph = graphOf(leaves + 1, edges);
    // What the hub weighs is asked for all the time.
    const degrees = Float64Array.from({ length: graph.size }, (_, node) => graph.degree(node));
    let walked = 0;
    const counting: WeightedGraph = {
      size: graph.size,
      degree: (node) => degrees[node]!,
      arcs: (node, into) => {
        graph.arcs(node, into);
        walked += into.length;
      },
    };
    const seeds = { nodes: [1, 2, 3, 101, 102], weights: [0.2, 0.2, 0.2, 0.2, 0.2] };
    const scratch = new PushScratch(graph.size);
    const pushed = await pushPagerank(counting, seeds, { damping: 0.5, epsilon: 1e-5, scratch });
    expect(walked).toBeLessThan(leaves + 1000);
    expect([...scratch.residual, ...scratch.estimate, ...scratch.queued].every((value) => value === 0)).toBe(true);
    const exact = await exactPagerank(graph, seeds, { damping: 0.5, tolerance: 1e-10, maxIterations: 200 });
    const best = (scored: typeof pushed) => bestScored(scored, 20, (node) => node).map(([node]) => node);
    expect(new Set(best(pushed))).toEqual(new Set(best(exact)));
  });

  it('gives the best of many equal ones in their order, and each once', () => {
    const random = seededRandom('equal');
    for (const [count, limit] of [
      [5000, 20],
      [5000, 4999],
      [20, 20],
      [7, 20],
      [300, 1],
    ] as const) {
      const nodes = Int32Array.from({ length: count }, (_, i) => i * 3);
      const scores = Float64Array.from(nodes, () => Math.ceil(random() * 3) / 10);
      const order = (node: number): number => (node * 7919) % 1000;
      const wanted = Array.from(nodes, (node, i) => [node, scores[i]!] as const).sort(
        (a, b) => b[1] - a[1] || order(a[0]) - order(b[0]),
      );
      const highest = Math.max(...scores);
      const found = bestScored({ nodes, scores }, limit, order);
      const place = ([node, score]: readonly [number, number]) => [score, order(node)];
      expect(found.map(place).sort(byPlace)).toEqual(
        wanted
          .slice(0, limit)
          .map(([node, score]) => place([node, Math.round((score / highest) * 1e12) / 1e12]))
          .sort(byPlace),
      );
      expect(new Set(found.map(([node]) => node)).size).toBe(Math.min(count, limit));
    }
  });
});

function byPlace([a, b]: number[], [c, d]: number[]): number {
  return c! - a! || b! - d!;
}
