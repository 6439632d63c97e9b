import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Stage, Staging } from '../../src/backends/graph/neo4j/stage/stage.js';
import { clearStage } from '../../src/backends/graph/neo4j/write/clearing.js';
import { inWrite } from '../../src/backends/graph/neo4j/write/writer.js';
import { Neo4jGraph } from '../../src/backends/graph/neo4j.js';
import type { Manifest } from '../../src/core/model.js';
import { seededRandom } from '../../src/core/random.js';
import { D, error, id, source, templates } from '../contracts/graph/fixture.js';
import { ReferenceGraph } from '../contracts/graph/reference/reference-graph.js';
import { seen } from '../contracts/graph/worlds.js';
import { Interfered } from './interfered.js';
import { neo4jConnection, neo4jOptions, wipe } from './neo4j.js';

/** Ends by name and by id, the same edge twice, ends that are missing, that were there, that wait. */
function manyOf(key: string, size: number): Manifest {
  const random = seededRandom(key);
  const concepts = Array.from({ length: size }, (_, i) => {
    return i % 3 === 0 ? { id: `own${i}`, name: `Item ${i}` } : { name: `Item ${i}`, description: `Number ${i}.` };
  });
  const end = (): string => {
    const i = Math.floor(random() ** 2 * (size + 2));
    return i % 3 === 0 && random() < 0.5 ? `own${i}` : `Item ${i}`;
  };
  const edges = Array.from({ length: size * 4 }, () => ({
    source: end(),
    target: random() < 0.05 ? 'Known' : end(),
    relation: random() < 0.5 ? 'USES' : 'REQUIRES',
    confidence: Math.round(random() * 10) / 10,
  }));
  return source(key, {
    concepts: [...concepts, { name: 'Known', confidence: 0.5 }],
    edges,
    rules: [{ text: 'Use Item 1.' }],
  });
}

const DEAD = ["CREATE (:StagedSource {id: 'dead'}), (:Staged {id: 'd:dead'})"].concat(
  "CREATE (:Assertion {source_id: 'dead', edge_id: 'd:dead|USES|d:dead'})",
);
const sleep = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));

describe('a load larger than one transaction', () => {
  const connection = neo4jConnection();
  const open = async (): Promise<Neo4jGraph> => {
    const graph = new Neo4jGraph(connection, { templates, ppr: 'local', atOnce: 100 });
    await graph.connect();
    return graph;
  };
  const known = source('before', { concepts: [{ name: 'Known', description: 'was there' }] });
  const expire = () => connection.schema("MATCH (g:Graph {name: 'graph'}) SET g.staging_until = 0");
  beforeAll(() => connection.connect());
  afterAll(() => connection.disconnect());
  beforeEach(() => wipe(connection));

  it('ends in what the reference has, and so does forgetting it', async () => {
    const [graph, reference] = [await open(), new ReferenceGraph({ templates })];
    const manifest = manyOf('large', 60);
    for (const one of [graph, reference]) await one.ingestManifest(known);
    const [mine, wanted] = [await graph.ingestManifest(manifest), await reference.ingestManifest(manifest)];
    expect({ ...mine, warnings: [...mine.warnings].sort() }).toEqual({
      ...wanted,
      warnings: [...wanted.warnings].sort(),
    });
    expect(await seen(graph, D)).toEqual(await seen(reference, D));
    expect((await graph.ingestManifest(manifest)).unchanged).toBe(true);
    expect(await graph.query('MATCH (n:Staged|StagedSource) RETURN n')).toEqual([]);
    for (const one of [graph, reference]) await one.forgetSource(mine.source_id);
    expect(await seen(graph, D)).toEqual(await seen(reference, D));
    await graph.disconnect();
  });

  it('is seen whole or not at all while it is written, and keeps other writers waiting', async () => {
    const graph = await open();
    await graph.ingestManifest(known);
    const loading = graph.ingestManifest(manyOf('large', 120));
    const other = graph.ingestManifest(source('other', { concepts: [{ name: 'Meanwhile' }] }));
    const counts = new Set<number>();
    let done = false;
    const watching = (async () => {
      while (!done) counts.add((await graph.findNodes({ domain: D, pattern: 'item*' })).length);
    })();
    await Promise.all([loading, other]);
    done = true;
    await watching;
    expect([0, 120]).toEqual(expect.arrayContaining([...counts]));
    expect(await graph.getNode(id('Meanwhile'))).not.toBeNull();
    await graph.disconnect();
  });

  it('that died is cleared away by the next writer', async () => {
    const graph = await open();
    await graph.ingestManifest(known);
    const stage = await Stage.open(connection);
    stage.close();
    await stage.batch(async (tx) => {
      for (const statement of DEAD) await tx.run(statement);
    });
    await expire();
    await graph.ingestManifest(source('next', { concepts: [{ name: 'Next' }] }));
    expect(await graph.query('MATCH (n:Staged|StagedSource|Assertion) RETURN n')).toEqual([]);
    expect((await error(stage.batch(async () => undefined))).code).toBe('unavailable');
    await graph.disconnect();
  });

  it('that is taken from a slow owner is refused from the first step of clearing on', async () => {
    const graph = await open();
    await graph.ingestManifest(known);
    const stage = await Stage.open(connection);
    await stage.batch(async (tx) => {
      for (const statement of DEAD) await tx.run(statement);
    });
    await expire();
    const refusals: unknown[] = [];
    const interfered = new Interfered(neo4jOptions());
    interfered.after = async () => {
      const left = await graph.query('MATCH (n:Staged|StagedSource|Assertion) RETURN n');
      if (left.length === 0) return;
      const staged = { token: stage.token, concepts: new Set<string>(), edges: 0, rest: null as never };
      refusals.push(await error(stage.batch(async () => undefined)));
      refusals.push(await error(inWrite(connection, async () => undefined, staged)));
    };
    await interfered.connect();
    await clearStage(interfered);
    expect(refusals.length).toBeGreaterThan(2);
    for (const [i, refusal] of refusals.entries()) {
      if (i % 2 === 0) expect(refusal).toMatchObject({ code: 'unavailable', retriable: true });
      else expect(refusal).toBeInstanceOf(Staging);
    }
    expect(await graph.query('MATCH (n:Staged|StagedSource|Assertion) RETURN n')).toEqual([]);
    expect(await graph.query('MATCH (g:Graph) RETURN g.staging AS staging')).toEqual([{ staging: null }]);
    stage.close();
    await interfered.disconnect();
    await graph.disconnect();
  });

  it('that another clearing took over is left to it', async () => {
    const graph = await open();
    const stage = await Stage.open(connection);
    stage.close();
    await stage.batch(async (tx) => {
      for (const statement of DEAD) await tx.run(statement);
    });
    await expire();
    const slow = new Interfered(neo4jOptions());
    let next: Stage | undefined;
    slow.after = async () => {
      if (next !== undefined) return;
      await expire();
      await clearStage(connection);
      next = await Stage.open(connection);
      await next.batch((tx) => tx.run(DEAD[0]!));
    };
    await slow.connect();
    await clearStage(slow);
    expect(await graph.query('MATCH (n:Staged|StagedSource) RETURN count(n) AS n')).toEqual([{ n: 2 }]);
    await next?.batch(async () => undefined);
    await next?.discard();
    next?.close();
    await slow.disconnect();
    await graph.disconnect();
  });

  it('is kept by an owner that lives, however long a batch or the work between batches takes', async () => {
    const graph = await open();
    const stage = await Stage.open(connection, 1000);
    const stands = async () => (await error(Stage.open(connection))) as unknown as Staging;
    await sleep(2500);
    expect((await stands()).abandoned).toBe(false);
    await stage.batch(() => sleep(2500));
    expect((await stands()).abandoned).toBe(false);
    await clearStage(connection);
    await stage.batch(async () => undefined);
    stage.close();
    await stage.discard();
    await graph.disconnect();
  });

  it('of which something went missing is not seen, and can be loaded again', async () => {
    const interfered = new Interfered(neo4jOptions());
    const graph = new Neo4jGraph(interfered, { templates, ppr: 'local', atOnce: 100 });
    await graph.connect();
    await graph.ingestManifest(known);
    let harmed = false;
    interfered.before = async (cypher, tx) => {
      if (harmed || !cypher.includes('REMOVE n:Staged')) return;
      harmed = true;
      await tx.run('MATCH (n:Staged) WITH n LIMIT 1 DETACH DELETE n');
    };
    const manifest = manyOf('large', 60);
    expect(await error(graph.ingestManifest(manifest))).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^Only \d+ of \d+ staged concepts/),
    });
    expect(await graph.findNodes({ domain: D, pattern: 'item*' })).toEqual([]);
    expect(await graph.query('MATCH (n:Staged|StagedSource|Assertion) RETURN n')).toEqual([]);
    const reference = new ReferenceGraph({ templates });
    for (const one of [known, manifest]) await reference.ingestManifest(one);
    await graph.ingestManifest(manifest);
    expect((await seen(graph, D)).nodes).toEqual((await seen(reference, D)).nodes);
    await graph.disconnect();
  });

  it('that two load at once is loaded once', async () => {
    const graph = await open();
    const manifest = manyOf('large', 60);
    const deltas = await Promise.all([graph.ingestManifest(manifest), graph.ingestManifest(manifest)]);
    expect(deltas.map((delta) => delta.unchanged).sort()).toEqual([false, true]);
    const reference = new ReferenceGraph({ templates });
    await reference.ingestManifest(manifest);
    expect(await seen(graph, D)).toEqual(await seen(reference, D));
    await graph.disconnect();
  });
});
