import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { StoredCheckpoints } from '../../src/backends/graph/neo4j/checkpoint/checkpoint-store.js';
import { Neo4jGraph } from '../../src/backends/graph/neo4j.js';
import type { GraphBackend } from '../../src/backends/graph/port.js';
import type { Neo4jConnection } from '../../src/backends/neo4j-connection.js';
import type { Manifest } from '../../src/core/model.js';
import { D, error, mentions, passage, source, templates } from '../contracts/graph/fixture.js';
import { ReferenceGraph } from '../contracts/graph/reference/reference-graph.js';
import { seen } from '../contracts/graph/worlds.js';
import { openService } from '../service/harness.js';
import { Interfered } from './interfered.js';
import { neo4jConnection, neo4jOptions, wipe } from './neo4j.js';

const OTHER = 'other';
const LABELS = 'MATCH (n) WHERE n.domain = $D OR n:Going OR n.name = $D RETURN labels(n) AS labels';

function manyIn(domain: string, key: string): Manifest {
  const concepts = Array.from({ length: 60 }, (_, i) => ({ name: `${key} ${i}`, description: `Number ${i}.` }));
  const edges = concepts.map(({ name }, i) => ({ source: name, target: `${key} ${(i * 7) % 62}`, relation: 'USES' }));
  const passages = [`${key}-p1`, `${key}-p2`].map((name) =>
    passage(name, { domain, titles: [`${key} 1`], mentions: mentions(`${key} 1`, `${key} 2`) }),
  );
  return source(`${domain} ${key}`, { domain, concepts, edges, passages, rules: [{ text: `Use ${key} 1.` }] });
}

async function filled(graph: GraphBackend): Promise<void> {
  for (const manifest of [manyIn(D, 'Left'), manyIn(D, 'Right'), manyIn(OTHER, 'Left')])
    await graph.ingestManifest(manifest);
}

describe('a domain larger than one transaction', () => {
  const connection = neo4jConnection();
  const on = async (own: Neo4jConnection): Promise<Neo4jGraph> => {
    const graph = new Neo4jGraph(own, { templates, ppr: 'local', atOnce: 100 });
    await graph.connect();
    return graph;
  };
  beforeAll(() => connection.connect());
  afterAll(() => connection.disconnect());
  beforeEach(() => wipe(connection));

  it('is gone for readers from the first step on, keeps writers waiting, and leaves nothing', async () => {
    const interfered = new Interfered(neo4jOptions());
    const [graph, watching, reference] = [
      await on(interfered),
      await on(connection),
      new ReferenceGraph({ templates }),
    ];
    for (const one of [graph, reference]) await filled(one);
    const wanted = await reference.deleteDomain(D);
    const kept = await seen(reference, OTHER);
    const steps: unknown[] = [];
    let meanwhile: Promise<unknown> = Promise.resolve();
    interfered.after = async () => {
      const left = await connection.query('MATCH (d:Going) RETURN d');
      if (left.length === 0) return;
      if (steps.length === 0) meanwhile = watching.ingestManifest(manyIn(D, 'New'));
      const listed = (await watching.listDomains()).map((domain) => domain.name);
      steps.push([await watching.getDomain(D), listed]);
      if (steps.length === 2) expect(await seen(watching, OTHER)).toEqual(kept);
    };
    expect(await graph.deleteDomain(D)).toEqual(wanted);
    interfered.after = async () => undefined;
    expect(steps.length).toBeGreaterThan(3);
    for (const step of steps) expect(step).toEqual([null, [OTHER]]);
    await meanwhile;
    await reference.ingestManifest(manyIn(D, 'New'));
    for (const domain of [D, OTHER]) expect(await seen(watching, domain)).toEqual(await seen(reference, domain));
    await graph.deleteDomain(D);
    expect(await connection.query(LABELS, { D })).toEqual([]);
    expect((await error(graph.deleteDomain(D))).code).toBe('domain_not_found');
    await watching.disconnect();
    await graph.disconnect();
  });

  it('of which the removal was cut short is removed by the next writer, and not copied meanwhile', async () => {
    for (const dies of [1, 2, 4]) {
      await wipe(connection);
      const interfered = new Interfered(neo4jOptions());
      const graph = await on(interfered);
      await filled(graph);
      let transactions = 0;
      interfered.after = async () => {
        transactions += 1;
        if (transactions === dies) throw new Error('the process dies');
      };
      expect((await error(graph.deleteDomain(D))).message).toBe('the process dies');
      await graph.disconnect();
      const next = await on(connection);
      expect(await next.getDomain(D)).toBeNull();
      const test = await openService();
      const copy = new StoredCheckpoints(connection, test.service.store).make();
      expect((await error(copy)).message).toMatch(/^A large domain is being removed/);
      await test.close();
      await connection.schema("MATCH (g:Graph {name: 'graph'}) SET g.staging_until = 0");
      await next.ingestManifest(manyIn(D, 'New'));
      const reference = new ReferenceGraph({ templates });
      await filled(reference);
      await reference.deleteDomain(D);
      await reference.ingestManifest(manyIn(D, 'New'));
      for (const domain of [D, OTHER]) expect(await seen(next, domain)).toEqual(await seen(reference, domain));
      expect(await connection.query('MATCH (d:Going) RETURN d')).toEqual([]);
      await next.disconnect();
    }
  });
});
