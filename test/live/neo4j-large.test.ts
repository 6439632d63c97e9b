import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MemoryGraph } from '../../src/backends/graph/memory.js';
import { Stage } from '../../src/backends/graph/neo4j/stage.js';
import { Neo4jGraph } from '../../src/backends/graph/neo4j.js';
import type { Manifest } from '../../src/core/model.js';
import { seededRandom } from '../../src/core/random.js';
import { D, error, id, source, templates } from '../contracts/graph/fixture.js';
import { seen } from '../contracts/graph/worlds.js';
import { neo4jConnection, wipe } from './neo4j.js';

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

describe('a load larger than one transaction', () => {
  const connection = neo4jConnection();
  const open = async (): Promise<Neo4jGraph> => {
    const graph = new Neo4jGraph(connection, { templates, ppr: 'local', atOnce: 100 });
    await graph.connect();
    return graph;
  };
  const known = source('before', { concepts: [{ name: 'Known', description: 'was there' }] });
  beforeAll(() => connection.connect());
  afterAll(() => connection.disconnect());
  beforeEach(() => wipe(connection));

  it('ends in what the reference has, and so does forgetting it', async () => {
    const [graph, reference] = [await open(), new MemoryGraph({ templates })];
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
    await stage.batch(async (tx) => {
      await tx.run("CREATE (:StagedSource {id: 'dead'}), (:Staged {id: 'd:dead'})");
      await tx.run("CREATE (:Assertion {source_id: 'dead', edge_id: 'd:dead|USES|d:dead'})");
    });
    await graph.query("MATCH (g:Graph {name: 'graph'}) SET g.staging_until = 0", {}, { access: 'write' });
    await graph.ingestManifest(source('next', { concepts: [{ name: 'Next' }] }));
    expect(await graph.query('MATCH (n:Staged|StagedSource|Assertion) RETURN n')).toEqual([]);
    expect((await error(stage.batch(async () => undefined))).code).toBe('unavailable');
    await graph.disconnect();
  });
});
