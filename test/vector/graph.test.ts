import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import hnswlib from 'hnswlib-node';
import { Graph } from '../../src/backends/vector/hnsw/graph/graph.js';
import { seededRandom } from '../../src/core/random.js';

const DIMENSION = 8;

/** A vector of length 1 near one of the axes. */
function near(axis: number, random: () => number): Float32Array {
  const components = Array.from({ length: DIMENSION }, (_, i) => (i === axis ? 1 : 0) + 0.05 * (random() - 0.5));
  const length = Math.hypot(...components);
  return Float32Array.from(components.map((component) => component / length));
}

describe('a graph of vectors of which rows were deleted', () => {
  it('finds the nearest that are left, takes rows near those that are gone, and finds these too', () => {
    const random = seededRandom('graph');
    const graph = Graph.empty({ dimension: DIMENSION, metric: 'cosine' }, 1024);
    const axisOf = (ref: number): number => ref % 3;
    for (let ref = 1; ref <= 3000; ref += 1) graph.add(ref, near(axisOf(ref), random));
    for (let ref = 1; ref <= 3000; ref += 1) if (axisOf(ref) > 0) graph.remove(ref);
    expect([graph.live, graph.deleted, graph.rows]).toEqual([1000, 2000, 3000]);
    for (const axis of [0, 1, 2]) {
      const found = graph.search([...near(axis, random)], 20, 64);
      expect(found).toHaveLength(20);
      expect(found.filter((ref) => axisOf(ref) > 0)).toEqual([]);
    }
    for (let ref = 3001; ref <= 3600; ref += 1) graph.add(ref, near(axisOf(ref), random));
    for (const axis of [1, 2]) {
      const found = graph.search([...near(axis, random)], 20, 64);
      expect(found).toHaveLength(20);
      expect(found.filter((ref) => ref <= 3000 || axisOf(ref) !== axis)).toEqual([]);
    }
  });

  it('finds all that are left where fewer are than wanted', () => {
    const random = seededRandom('few');
    const graph = Graph.empty({ dimension: DIMENSION, metric: 'cosine' }, 1024);
    for (let ref = 1; ref <= 500; ref += 1) graph.add(ref, near(ref % 4, random));
    for (let ref = 1; ref <= 497; ref += 1) graph.remove(ref);
    expect(graph.search([...near(0, random)], 10, 64).sort((a, b) => a - b)).toEqual([498, 499, 500]);
    for (let ref = 498; ref <= 500; ref += 1) graph.remove(ref);
    expect(graph.search([...near(0, random)], 10, 64)).toEqual([]);
  });

  it('takes back the marks that a file of an earlier release holds', async () => {
    const random = seededRandom('marks');
    const directory = mkdtempSync(join(tmpdir(), 'graph-'));
    try {
      const old = new hnswlib.HierarchicalNSW('ip', DIMENSION);
      old.initIndex(1024, 16, 200, 100);
      for (let ref = 1; ref <= 600; ref += 1) old.addPoint([...near(ref % 3, random)], ref);
      for (let ref = 1; ref <= 600; ref += 1) if (ref % 3 > 0) old.markDelete(ref);
      await old.writeIndex(join(directory, 'old'));
      const graph = await Graph.read(join(directory, 'old'), { dimension: DIMENSION, metric: 'cosine' });
      for (const ref of graph.labels()) if (ref % 3 > 0) graph.remove(ref);
      expect([graph.live, graph.deleted]).toEqual([200, 400]);
      expect(graph.search([...near(1, random)], 20, 64).filter((ref) => ref % 3 > 0)).toEqual([]);
      for (let ref = 601; ref <= 700; ref += 1) graph.add(ref, near(1, random));
      expect(Math.min(...graph.search([...near(1, random)], 20, 64))).toBeGreaterThan(600);
      await graph.write(join(directory, 'new'));
      const written = new hnswlib.HierarchicalNSW('ip', DIMENSION);
      await written.readIndex(join(directory, 'new'));
      expect(() => written.unmarkDelete(1)).toThrow();
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
