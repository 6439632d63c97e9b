import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Choice, type Measured } from '../../src/backends/graph/neo4j/rank/choice.js';
import { Neo4jGraph, type Neo4jGraphOptions } from '../../src/backends/graph/neo4j.js';
import { fnv1a } from '../../src/core/random.js';
import { id, source } from '../contracts/graph/fixture.js';
import { ReferenceGraph } from '../contracts/graph/reference/reference-graph.js';
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

/** Remembers what was measured. */
class Heard extends Choice {
  readonly heard: Measured[] = [];

  override measured(costs: Measured): void {
    super.measured(costs);
    this.heard.push(costs);
  }
}

async function until(done: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200 && !(await done()); tries += 1) await new Promise((next) => setTimeout(next, 100));
  expect(await done()).toBe(true);
}

async function forget(graph: Neo4jGraph, n: number): Promise<void> {
  const found = (await graph.listSources()).find(({ label }) => label === `source more ${n}`);
  expect(await graph.forgetSource(found?.source_id ?? '')).not.toBeNull();
}

/** Waits for the projection that is made beside queries. */
async function renewed(graph: Neo4jGraph): Promise<void> {
  const now = await graph.version();
  await until(async () => {
    const { method, version } = await graph.personalizedPagerank(seeds);
    return method === 'gds' && version === now;
  });
}

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
  const drop = (name: string) =>
    connection.query('CALL gds.graph.drop($name) YIELD graphName RETURN graphName', { name });
  beforeAll(async () => {
    await connection.connect();
    for (const name of await projections()) await drop(name);
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
    for (const name of await projections()) await drop(name);
    expect((await small.personalizedPagerank(seeds)).method).toBe('gds');
  });

  it('gives way to the neighbourhood where feedback weighs edges', async () => {
    const graph = await open({ ppr: 'gds' });
    const reference = new ReferenceGraph();
    for (const one of [first, more(1), more(2), more(3), more(4)]) await reference.ingestManifest(one);
    const factors = new Map([[`${id('A')}|USES|${id('B')}`, 0.25]]);
    for (const one of [graph, reference]) one.setEdgeFactors(factors);
    const found = await graph.personalizedPagerank(seeds);
    const wanted = await reference.personalizedPagerank(seeds);
    expect(found.method).toBe('local');
    for (const [node, score] of wanted.scores) expect(found.scores.get(node)).toBeCloseTo(score, 3);
    expect((await graph.personalizedPagerank(seeds, { domains: ['another'] })).scores.size).toBe(0);
  });

  it('is as good as the graph after a write, on a large graph too', async () => {
    const graph = await open({ ppr: 'gds', projectAtOnce: 0 });
    await graph.ingestManifest(first);
    await renewed(graph);
    // A node newer than the projection, and one beside it that is older.
    for (const [n, told] of [
      [11, false],
      [12, true],
    ] as const) {
      await graph.ingestManifest(more(n));
      const version = told ? await graph.version() : undefined;
      const found = await graph.personalizedPagerank([{ id: id(`D${n}`), weight: 1 }, ...seeds]);
      expect(found.method).toBe('local');
      expect(found.version).toBe(version ?? (await graph.version()));
      expect([...found.scores.keys()]).toEqual(expect.arrayContaining([id(`D${n}`), id('A'), id('B')]));
      await renewed(graph);
      expect((await graph.personalizedPagerank([{ id: id(`D${n}`), weight: 1 }])).method).toBe('gds');
    }
    // A node that the projection has and the graph no longer: asked about its neighbour, and about itself.
    const before = await graph.version();
    expect((await graph.personalizedPagerank(seeds)).scores.has(id('D12'))).toBe(true);
    await forget(graph, 12);
    const stale = await graph.personalizedPagerank(seeds);
    expect(stale).toMatchObject({ method: 'gds', version: before });
    expect(stale.version).toBeLessThan(await graph.version());
    expect([...stale.scores.keys()]).toEqual(expect.arrayContaining([id('A'), id('B'), id('D11')]));
    for (const node of stale.scores.keys()) expect(await graph.getNode(node)).toMatchObject({ id: node });
    await renewed(graph);
    await graph.ingestManifest(more(12));
    await renewed(graph);
    await forget(graph, 12);
    expect((await graph.personalizedPagerank([{ id: id('D12'), weight: 1 }])).scores.size).toBe(0);
  });

  it('names no node that took the internal id of a deleted one', async () => {
    const graph = await open({ ppr: 'gds', projectAtOnce: 0 });
    await graph.ingestManifest(more(13));
    await renewed(graph);
    const before = await graph.personalizedPagerank(seeds);
    expect(before.scores.has(id('D13'))).toBe(true);
    // What the server does when it gives the place of D13 to a new node of another domain.
    const intruder = 'another:Intruder';
    await connection.query(
      'MATCH (n:Node {id: $old}) SET n.id = $id, n.domain = "another", n.hash = toInteger($hash)',
      { old: id('D13'), id: intruder, hash: fnv1a(intruder) },
      { access: 'write' },
    );
    try {
      const within = await graph.personalizedPagerank(seeds);
      expect(within.method).toBe('gds');
      expect([...within.scores.keys()].sort()).toEqual([...before.scores.keys()].filter((n) => n !== id('D13')).sort());
      await graph.ingestManifest(more(14));
      const stale = await graph.personalizedPagerank(seeds);
      expect(stale).toMatchObject({ method: 'gds', version: before.version });
      expect([...stale.scores.keys()].sort()).toEqual([...within.scores.keys()].sort());
      // As a seed it is not the node that the projection has in its place.
      await graph.ingestManifest(more(15));
      const asked = await graph.personalizedPagerank([{ id: intruder, weight: 1 }]);
      expect(asked.method).toBe('local');
    } finally {
      await connection.query('MATCH (n:Node {id: $id}) DETACH DELETE n', { id: intruder }, { access: 'write' });
    }
  });

  it('takes two round trips, one of them shared with what else is read, whatever there is of a projection', async () => {
    const trips = async (graph: Neo4jGraph, asked = seeds): Promise<number> => {
      const before = graph.connection.roundTrips;
      await graph.personalizedPagerank(asked);
      return graph.connection.roundTrips - before;
    };
    const small = await open({ ppr: 'gds' });
    expect(await trips(small)).toBe(2);
    await small.ingestManifest(more(21));
    expect(await trips(small)).toBe(2);
    expect(await trips(small)).toBe(2);
    for (const name of await projections()) await drop(name);
    expect(await trips(small)).toBe(2);
    const local = await open({ ppr: 'local' });
    expect(await trips(local)).toBeLessThanOrEqual(2);
    const large = await open({ ppr: 'gds', projectAtOnce: 0 });
    await renewed(large);
    expect(await trips(large)).toBe(2);
    // The first words of a query tell that the projection is stale; its renewal goes beside it, in one more.
    for (const asked of [seeds, [{ id: id('D23'), weight: 1 }]]) {
      await small.ingestManifest(more(asked === seeds ? 22 : 23));
      await large.version();
      expect(await trips(large, asked)).toBeLessThanOrEqual(3);
      await renewed(large);
    }
    for (const name of await projections()) await drop(name);
    // Nobody could know that it was gone: three, and one for the renewal.
    expect(await trips(large)).toBeLessThanOrEqual(4);
    await renewed(large);
  });

  it('is chosen by measured cost unless a path is set', async () => {
    const choice = new Heard({ first: 1, again: 1 });
    const auto = await open({ choice });
    expect(auto.ppr).toBe('local');
    const { method, scores } = await auto.personalizedPagerank(seeds);
    expect(method).toBe('local');
    await until(async () => choice.heard.length > 0);
    for (const { gds, local } of choice.heard) {
      expect(gds).toBeGreaterThan(0);
      expect(local).toBeGreaterThan(0);
    }
    const path = auto.ppr;
    const chosen = await auto.personalizedPagerank(seeds);
    expect(chosen.method).toBe(path);
    expect([...chosen.scores.keys()].slice(0, 2)).toEqual([...scores.keys()].slice(0, 2));
    expect((await open({ ppr: 'local' })).ppr).toBe('local');
    expect((await open({ ppr: 'gds' })).ppr).toBe('gds');
  });

  it('goes where it costs less, and takes its projection along', async () => {
    for (const name of await projections()) await drop(name);
    const choice = new Choice({ first: 1_000_000 });
    const auto = await open({ choice, projectAtOnce: 0 });
    expect((await auto.personalizedPagerank(seeds)).method).toBe('local');
    expect(await projections()).toEqual([]);
    choice.measured({ gds: 1, local: 100 });
    expect(auto.ppr).toBe('gds');
    // A large graph without a projection, as after a restart: answered at once, projected beside.
    expect((await auto.personalizedPagerank(seeds)).method).toBe('local');
    await renewed(auto);
    expect(await projections()).toHaveLength(1);
    choice.measured({ gds: 100, local: 1 });
    expect((await auto.personalizedPagerank(seeds)).method).toBe('local');
    await until(async () => (await projections()).length === 0);
    // One that another replica made is left to it.
    const other = await open({ ppr: 'gds' });
    await other.personalizedPagerank(seeds);
    choice.measured({ gds: 1, local: 100 });
    expect((await auto.personalizedPagerank(seeds)).method).toBe('gds');
    choice.measured({ gds: 100, local: 1 });
    expect((await auto.personalizedPagerank(seeds)).method).toBe('local');
    expect((await auto.personalizedPagerank(seeds)).method).toBe('local');
    expect(await projections()).toHaveLength(1);
  });
});
