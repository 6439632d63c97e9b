import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Neo4jBackend } from '../../src/backends/graph/neo4j.js';
import type { PprOptions, PprResult } from '../../src/backends/graph/port.js';
import { unmigratedSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { Manifest } from '../../src/core/model.js';
import { seededRandom } from '../../src/core/random.js';
import { mentions, passage, source, templates } from '../contracts/graph/fixture.js';
import { ReferenceGraph } from '../contracts/graph/reference/reference-graph.js';
import { neo4jConnection, wipe } from './neo4j.js';

const WORLDS = 200;
const AT_ONCE = 4;
const CONVERGED: PprOptions = { epsilon: 0, tolerance: 1e-10, maxIterations: 1000, limit: 10_000 };

interface World {
  readonly domain: string;
  readonly manifest: Manifest;
  readonly seeds: ReadonlyArray<{ readonly id: string; readonly weight: number }>;
}

/** A small graph with hubs, links over names, typed edges of many weights, rules, and names that several share. */
function worldOf(number: number): World {
  const random = seededRandom(`world ${number}`);
  const domain = `w${number}`;
  const size = 8 + Math.floor(random() * 30);
  const below = (n: number): number => Math.floor(random() ** 2 * n);
  const concepts = Array.from({ length: size }, (_, i) => {
    return random() < 0.5 ? { id: `c${i}`, name: `Thing ${below(size)}` } : { name: `Thing ${i}` };
  });
  const endpoints = concepts.map((concept) => concept.id ?? concept.name);
  const edges = Array.from({ length: size * 2 }, () => ({
    source: endpoints[below(size)]!,
    target: endpoints[Math.floor(random() * size)]!,
    relation: ['USES', 'REQUIRES', 'KNOWS'][Math.floor(random() * 3)]!,
    confidence: Math.round(random() * 100) / 100,
  }));
  const names = ['Name', 'Alias', 'Thing'];
  const passages = Array.from({ length: size }, (_, i) =>
    passage(`p${i}`, {
      mentions: mentions(...Array.from({ length: 4 }, () => `${names[below(3)]} ${below(size)}`)),
      domain,
      titles: random() < 0.4 ? [`Name ${below(size)}`] : [],
      aliases: [`Alias ${below(size)}`],
    }),
  );
  const rules = [{ text: `Never use Thing ${below(size)} with Thing ${below(size)}.` }];
  const nodes = passages.map((one) => one.id);
  return {
    domain,
    manifest: source(`of ${domain}`, { domain, concepts, edges, passages, rules }),
    seeds: Array.from({ length: 1 + (number % 4) }, () => ({ id: nodes[below(size)]!, weight: 0.1 + random() })),
  };
}

/** Within 1e-6, and in the same order of the best twenty wherever scores differ by more. */
function expectSame({ scores }: PprResult, wanted: PprResult): void {
  for (const [id, score] of wanted.scores) expect(Math.abs((scores.get(id) ?? 0) - score)).toBeLessThan(1e-6);
  const best = [...scores].slice(0, 20);
  best.forEach(([, score], place) => {
    const [, expected] = [...wanted.scores][place]!;
    expect(Math.abs(score - expected)).toBeLessThan(1e-6);
  });
}

function overlap(quick: PprResult, exact: PprResult): number {
  const best = [...exact.scores.keys()].slice(0, 20);
  const found = [...quick.scores.keys()].slice(0, best.length);
  // Of equal scores any may stand at the end.
  const least = exact.scores.get(best.at(-1)!)! - 1e-9;
  return found.filter((id) => (exact.scores.get(id) ?? 0) >= least).length / best.length;
}

describe(`Neo4j beside the reference, on ${WORLDS} random graphs`, () => {
  const connection = neo4jConnection();
  const { store, migrate } = unmigratedSqlite(':memory:');
  const reference = new ReferenceGraph({ templates });
  const byGds = new Neo4jBackend({ connection, store, templates, ppr: 'gds' });
  const local = new Neo4jBackend({ connection, store, templates, ppr: 'local' });
  const worlds = Array.from({ length: WORLDS }, (_, i) => worldOf(i));

  /** Worlds have nothing in common, so that several are asked at once: alone, each would wait for the server most of the time. */
  const ofEach = async (ask: (world: World) => Promise<void>) => {
    const left = [...worlds];
    const some = async () => {
      for (let one = left.shift(); one !== undefined; one = left.shift()) {
        await ask(one).catch((error: unknown) => {
          left.length = 0;
          throw error;
        });
      }
    };
    // All end before a failure is told: none goes on beside the next test.
    const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, some));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  };

  beforeAll(async () => {
    await connection.connect();
    await wipe(connection);
    await migrate();
    await byGds.connect();
    await local.connect();
    for (let start = 0; start < WORLDS; start += 25) {
      await byGds.ingestManifests(worlds.slice(start, start + 25).map((world) => world.manifest));
    }
    await reference.ingestManifests(worlds.map((world) => world.manifest));
  }, 1_200_000);
  afterAll(async () => {
    for (const one of [byGds, local, connection]) await one.disconnect();
  });

  it('has the same nodes, neighbours and rules', async () => {
    await ofEach(async ({ domain, seeds }) => {
      const domains = [domain];
      expect(await byGds.findNodes({ domain })).toEqual(await reference.findNodes({ domain }));
      expect(await byGds.getRules({ domains })).toEqual(await reference.getRules({ domains }));
      const ids = seeds.map((seed) => seed.id);
      const around = { domains, incoming: true };
      expect(await byGds.expand(ids, around)).toEqual(await reference.expand(ids, around));
      const [edge] = await reference.getEdges({ domain, limit: 1 });
      expect(await byGds.neighbourhood(edge!.source_id, 2)).toEqual(await reference.neighbourhood(edge!.source_id, 2));
    });
  }, 1_200_000);

  it('gives the same PageRank, converged, by GDS and on the neighbourhood', async () => {
    await ofEach(async ({ domain, seeds }) => {
      const options = { ...CONVERGED, domains: [domain] };
      const wanted = await reference.personalizedPagerank(seeds, options);
      const gds = await byGds.personalizedPagerank(seeds, options);
      expect(gds.method).toBe('gds');
      expectSame(gds, wanted);
      const exact = await local.personalizedPagerank(seeds, options);
      expect(exact.method).toBe('exact');
      expectSame(exact, wanted);
    });
  }, 1_200_000);

  it('shares 95 % of the best twenty where it is quick', async () => {
    let [near, projected] = [0, 0];
    await ofEach(async ({ domain, seeds }) => {
      const exact = await reference.personalizedPagerank(seeds, { ...CONVERGED, domains: [domain] });
      const quick = await local.personalizedPagerank(seeds, { domains: [domain], limit: 20 });
      expect(quick.method).toBe('local');
      near += overlap(quick, exact) / WORLDS;
      const served = await byGds.personalizedPagerank(seeds, { domains: [domain], limit: 20 });
      expect(served.method).toBe('gds');
      projected += overlap(served, exact) / WORLDS;
    });
    expect(near).toBeGreaterThanOrEqual(0.95);
    expect(projected).toBeGreaterThanOrEqual(0.95);
  }, 1_200_000);
});
