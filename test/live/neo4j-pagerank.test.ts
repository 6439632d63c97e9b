import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Neo4jBackend, type Neo4jBackendOptions } from '../../src/backends/graph/neo4j.js';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { Store } from '../../src/backends/store/scope.js';
import { seededRandom } from '../../src/core/random.js';
import { id, source } from '../contracts/graph/fixture.js';
import { neo4jConnection, wipe } from './neo4j.js';

const NODES = 3000;
const EDGES = 12_000;
const names = Array.from({ length: NODES }, (_, i) => `N${i}`);

/** A graph as networks are: newcomers join nodes that have many edges already. */
function network() {
  const random = seededRandom('network');
  const endpoints: number[] = [0, 1];
  const edges = new Map<string, { source: string; target: string; relation: string }>();
  const add = (a: number, b: number): void => {
    if (a === b) return;
    edges.set(`${Math.min(a, b)} ${Math.max(a, b)}`, { source: names[a]!, target: names[b]!, relation: 'USES' });
    endpoints.push(a, b);
  };
  for (let node = 2; node < NODES; node += 1) add(node, endpoints[Math.floor(random() * endpoints.length)]!);
  while (edges.size < EDGES) add(Math.floor(random() * NODES), endpoints[Math.floor(random() * endpoints.length)]!);
  return source('network', { concepts: names.map((name) => ({ name })), edges: [...edges.values()] });
}

const seedsOf = (count: number, draw: number) => {
  const random = seededRandom(`seeds ${count} ${draw}`);
  return Array.from({ length: count }, () => ({ id: id(names[Math.floor(random() * NODES)]!), weight: 1 }));
};

describe('PageRank on Neo4j', () => {
  const connection = neo4jConnection();
  let store: Store;
  const open = async (options: Neo4jBackendOptions = {}): Promise<Neo4jBackend> => {
    const graph = new Neo4jBackend({ connection, store, ...options });
    await graph.connect();
    return graph;
  };

  beforeAll(async () => {
    await connection.connect();
    await wipe(connection);
    store = await openSqlite(':memory:');
    const graph = await open();
    await graph.ingestManifest(network());
    await graph.neighbourhood('none', 1);
    await graph.disconnect();
  });
  afterAll(async () => {
    await connection.disconnect();
    await store.close();
  });

  it.each([10, 50])('on the neighbourhood of %i seeds shares 95 %% of the exact best twenty', async (count) => {
    const graph = await open();
    let shared = 0;
    const draws = 10;
    for (let draw = 0; draw < draws; draw += 1) {
      const seeds = seedsOf(count, draw);
      const quick = await graph.personalizedPagerank(seeds, { limit: 20 });
      expect(quick.method).toBe('local');
      const exact = await graph.personalizedPagerank(seeds, { limit: 20, epsilon: 0 });
      expect(exact.method).toBe('gds');
      shared += [...exact.scores.keys()].filter((one) => quick.scores.has(one)).length / 20 / draws;
    }
    expect(shared).toBeGreaterThanOrEqual(0.95);
    await graph.disconnect();
  });

  it('takes two round trips by each method', async () => {
    for (const ppr of ['local', 'gds'] as const) {
      const graph = await open({ ppr, projectAtOnce: Number.POSITIVE_INFINITY });
      await graph.personalizedPagerank(seedsOf(10, 1));
      const before = connection.roundTrips;
      expect((await graph.personalizedPagerank(seedsOf(10, 2))).method).toBe(ppr);
      expect(connection.roundTrips - before).toBe(2);
      await graph.disconnect();
    }
  });

  it('by GDS lets the neighbourhood answer while a large projection is made, and where factors weigh', async () => {
    const graph = await open({ ppr: 'gds', projectAtOnce: 1 });
    await graph.addNode({ domain: 'd', name: 'Newcomer' });
    expect((await graph.personalizedPagerank(seedsOf(5, 1))).method).toBe('local');
    for (let attempt = 0; attempt < 100; attempt += 1) {
      if ((await graph.personalizedPagerank(seedsOf(5, 1))).method === 'gds') break;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect((await graph.personalizedPagerank(seedsOf(5, 1))).method).toBe('gds');
    const [edge] = await graph.getEdges({ limit: 1 });
    graph.setEdgeFactors(new Map([[edge!.id, 2]]));
    expect((await graph.personalizedPagerank(seedsOf(5, 1))).method).toBe('local');
    await graph.disconnect();
  });
});
