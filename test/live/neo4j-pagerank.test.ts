import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MemoryGraph } from '../../src/backends/graph/memory.js';
import { Neo4jGraph, type Neo4jGraphOptions } from '../../src/backends/graph/neo4j.js';
import { id, source } from '../contracts/graph/fixture.js';
import { neo4jConnection, wipe } from './neo4j.js';

const names = ['A', 'B', 'C'];
const first = source('first', {
  concepts: names.map((name) => ({ name })),
  edges: [
    { source: 'A', target: 'B', relation: 'USES' },
    { source: 'A', target: 'C', relation: 'USES', confidence: 0.5 },
  ],
});
const more = (n: number) =>
  source(`more ${n}`, { concepts: [{ name: `D${n}` }], edges: [{ source: `D${n}`, target: 'A', relation: 'USES' }] });
const seeds = [{ id: id('A'), weight: 1 }];

describe('PageRank on a projection', () => {
  const connection = neo4jConnection();
  const opened: Neo4jGraph[] = [];
  const open = async (options: Neo4jGraphOptions): Promise<Neo4jGraph> => {
    const graph = new Neo4jGraph(connection, options);
    await graph.connect();
    opened.push(graph);
    return graph;
  };
  const projections = async (): Promise<string[]> => {
    const rows = await connection.query<{ name: string }>(
      "CALL gds.graph.list() YIELD graphName WHERE graphName STARTS WITH 'svc-' RETURN graphName AS name",
    );
    return rows.map((row) => row.name).sort();
  };
  beforeAll(async () => {
    await connection.connect();
    for (const name of await projections()) {
      await connection.query('CALL gds.graph.drop($name) YIELD graphName RETURN graphName', { name });
    }
    await wipe(connection);
  });
  afterAll(async () => {
    for (const graph of opened) await graph.disconnect();
    await connection.disconnect();
  });

  it('is renewed within the request while the graph is small, beside it when it is large; old ones go', async () => {
    const small = await open({ ppr: 'gds' });
    const large = await open({ ppr: 'gds', projectAtOnce: 0 });
    await small.ingestManifest(first);
    expect((await small.personalizedPagerank(seeds)).version).toBe(await small.version());
    // Another replica on the same version uses what is there.
    const before = await large.personalizedPagerank(seeds);
    expect(before.version).toBe(await large.version());
    expect(await projections()).toHaveLength(1);
    await small.ingestManifest(more(1));
    const stale = await large.personalizedPagerank(seeds);
    expect(stale).toEqual(before);
    expect(stale.version).toBeLessThan(await large.version());
    const now = await large.version();
    for (let tries = 0; tries < 100; tries += 1) {
      if ((await large.personalizedPagerank(seeds)).version === now) break;
      await new Promise((done) => setTimeout(done, 100));
    }
    expect((await large.personalizedPagerank(seeds)).scores.has(id('D1'))).toBe(true);
    for (let n = 2; n < 5; n += 1) {
      await small.ingestManifest(more(n));
      expect((await small.personalizedPagerank(seeds)).version).toBe(await small.version());
    }
    expect((await projections()).length).toBeLessThanOrEqual(2);
    // A projection that is gone, as after a restart of the server, is made again.
    for (const name of await projections()) {
      await connection.query('CALL gds.graph.drop($name) YIELD graphName RETURN graphName', { name });
    }
    expect((await small.personalizedPagerank(seeds)).method).toBe('gds');
  });

  it('gives way to the neighbourhood where feedback weighs edges', async () => {
    const graph = await open({ ppr: 'gds' });
    const reference = new MemoryGraph();
    for (const one of [first, more(1), more(2), more(3), more(4)]) await reference.ingestManifest(one);
    const factors = new Map([[`${id('A')}|USES|${id('B')}`, 0.25]]);
    for (const one of [graph, reference]) one.setEdgeFactors(factors);
    const found = await graph.personalizedPagerank(seeds);
    const wanted = await reference.personalizedPagerank(seeds);
    expect(found.method).toBe('local');
    for (const [node, score] of wanted.scores) expect(found.scores.get(node)).toBeCloseTo(score, 3);
    expect((await graph.personalizedPagerank(seeds, { domains: ['another'] })).scores.size).toBe(0);
  });

  it('is chosen by measured cost unless a path is set', async () => {
    const auto = await open({});
    expect(auto.ppr).toBe('local');
    const { method, scores } = await auto.personalizedPagerank(seeds);
    expect(method).toBe('local');
    const chosen = await auto.personalizedPagerank(seeds);
    expect(['gds', 'local']).toContain(chosen.method);
    expect([...chosen.scores.keys()].slice(0, 2)).toEqual([...scores.keys()].slice(0, 2));
    expect((await open({ ppr: 'local' })).ppr).toBe('local');
    expect((await open({ ppr: 'gds' })).ppr).toBe('gds');
  });
});
