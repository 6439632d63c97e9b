import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EmbeddedBackend } from '../../src/backends/graph/embedded.js';
import { digestOf } from '../../src/backends/graph/import/digest.js';
import { GraphImports } from '../../src/backends/graph/import.js';
import { StoredCheckpoints } from '../../src/backends/graph/neo4j/checkpoint/checkpoint-store.js';
import { Stage } from '../../src/backends/graph/neo4j/stage/stage.js';
import { Neo4jGraph } from '../../src/backends/graph/neo4j.js';
import type { GraphBackend } from '../../src/backends/graph/port.js';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { Store } from '../../src/backends/store/scope.js';
import { seededRandom } from '../../src/core/random.js';
import { cleanUp, end, finished, firstLine, start, temporaryDirectory } from '../cli/processes.js';
import { checkpointsContract } from '../contracts/graph/checkpoints.js';
import { D, mentions, passage, source, templates, type With } from '../contracts/graph/fixture.js';
import { seen } from '../contracts/graph/worlds.js';
import { neo4jConnection, neo4jOptions, wipe } from './neo4j.js';

const connection = neo4jConnection();
beforeAll(() => connection.connect());
afterAll(async () => {
  await connection.disconnect();
  await cleanUp();
});

let file: string;
let store: Store;
beforeEach(async () => {
  await wipe(connection);
  file = join(temporaryDirectory(), 'store.db');
  store = await openSqlite(file);
});
afterEach(() => store.close());

async function open(atOnce?: number): Promise<Neo4jGraph> {
  const options = atOnce === undefined ? {} : { atOnce };
  const graph = new Neo4jGraph(connection, {
    templates,
    checkpoints: (own) => new StoredCheckpoints(own, store, options),
  });
  await graph.connect();
  return graph;
}

describe('checkpoints of Neo4j, put back in steps', () => {
  const withGraph: With = (test) => async () => {
    const graph = await open(0);
    try {
      await test({ graph, replica: () => open(0), close: () => graph.disconnect() });
    } finally {
      await graph.disconnect();
    }
  };
  checkpointsContract(withGraph);
});

/** A graph of some thousand elements; `word` stands in every passage. */
async function fill(graph: GraphBackend, word: string): Promise<void> {
  await graph.createDomain('empty', 'described');
  for (let batch = 0; batch < 4; batch += 1) {
    const at = (i: number) => batch * 50 + i;
    await graph.ingestManifest(
      source(`batch ${batch}`, {
        concepts: Array.from({ length: 50 }, (_, i) => ({ name: `Thing ${at(i)}`, description: `${word} ${at(i)}` })),
        edges: Array.from({ length: 49 }, (_, i) => ({
          source: `Thing ${at(i)}`,
          target: `Thing ${at(i + 1)}`,
          relation: i % 3 === 0 ? 'USES' : 'PART_OF',
          confidence: (i % 10) / 10,
          properties: { of: word },
        })),
        rules: [{ text: `Thing ${at(0)} must be ${word}.` }],
        passages: [passage(`p${batch}`, { titles: [`Title ${batch}`] })],
      }),
    );
  }
  await graph.setMentions(D, [{ id: 'd:p0', mentions: mentions('Title 3', 'Rome') }]);
}

describe('a restore on Neo4j', () => {
  it('keeps numbers what they were: whole ones whole, fractions fractions', async () => {
    const graph = await open();
    await fill(graph, 'first');
    const types = async () =>
      graph.query(
        `MATCH (n) WHERE NOT n:Graph UNWIND keys(n) AS key
         RETURN labels(n) AS labels, key, valueType(n[key]) AS type, count(*) AS n ORDER BY labels, key, type
         UNION ALL MATCH ()-[r]->() UNWIND keys(r) AS key
         RETURN [type(r)] AS labels, key, valueType(r[key]) AS type, count(*) AS n ORDER BY labels, key, type`,
      );
    const before = await types();
    const id = await graph.checkpoint();
    await graph.deleteDomain(D);
    await graph.restore(id);
    expect(await types()).toEqual(before);
    await graph.disconnect();
  });

  it('comes back where the volume of Neo4j was lost', async () => {
    const graph = await open();
    await fill(graph, 'first');
    const before = await seen(graph, D);
    const version = await graph.version();
    const id = await graph.checkpoint();
    await graph.disconnect();
    await wipe(connection);
    const fresh = await open();
    const { changed, removed } = await fresh.restore(id);
    expect([changed.length, removed]).toEqual([204, []]);
    expect(await seen(fresh, D)).toEqual(before);
    expect(await fresh.version()).toBeGreaterThan(version);
    await fresh.disconnect();
  });

  it('neither keeps nor spares what a large load has staged', async () => {
    const graph = await open();
    await graph.ingestManifest(source('a', { concepts: [{ name: 'A' }, { name: 'B' }] }));
    const before = await seen(graph, D);
    const stage = await Stage.open(connection);
    await stage.batch(async (tx) => {
      await tx.run("CREATE (:StagedSource {id: 'late'}), (:Staged {id: 'd:late'})");
      await tx.run("CREATE (:Assertion {source_id: 'late', edge_id: 'x'})");
    });
    const id = await graph.checkpoint();
    await graph.restore(id);
    expect(await seen(graph, D)).toEqual(before);
    expect(await graph.query('MATCH (n) WHERE n:Staged OR n:StagedSource OR n:Assertion RETURN n')).toEqual([]);
    await expect(stage.batch((tx) => tx.run('RETURN 1'))).rejects.toMatchObject({ code: 'unavailable' });
    await graph.ingestManifest(source('b', { concepts: [{ name: 'C' }] }));
    await graph.disconnect();
  });

  it('says what to do where the copy that it began with is not there', async () => {
    const graph = await open();
    await graph.query("MATCH (g:Graph {name: 'graph'}) SET g.restoring = 'elsewhere'", {}, { access: 'write' });
    for (const call of [() => graph.version(), () => graph.createDomain('x'), () => open()]) {
      await expect(call()).rejects.toMatchObject({ code: 'unavailable' });
    }
    await expect(open()).rejects.toThrow(/checkpoint elsewhere/);
    await graph.disconnect();
  });

  it.each([
    ['at once', 1_000_000],
    ['in steps', 0],
  ])('%s leaves the old graph or the new one when it is killed', async (_how, atOnce) => {
    const graph = await open();
    await fill(graph, 'first');
    const restored = await seen(graph, D);
    const id = await graph.checkpoint();
    const random = seededRandom(`kill ${atOnce}`);
    let typical = 1500;
    for (let i = 0; i < 4; i += 1) {
      await fill(graph, `other ${i}`);
      await graph.ingestManifest(source('more', { concepts: [{ name: `More ${i}` }] }));
      const old = await seen(graph, D);
      const child = start('test/live/neo4j-restore-process.ts', [neo4jOptions().uri, file, id, String(atOnce)]);
      expect(await firstLine(child)).toBe('restoring');
      const began = performance.now();
      const wait = i === 0 ? 60_000 : random() * typical * 1.1;
      await Promise.race([finished(child), new Promise((done) => setTimeout(done, wait))]);
      await end(child, 'SIGKILL');
      if (i === 0) typical = performance.now() - began;
      const another = await open();
      const after = await seen(another, D);
      expect([restored, old]).toContainEqual(after);
      const state = await another.query("MATCH (g:Graph {name: 'graph'}) RETURN g.restoring AS r, g.tables AS t");
      expect(state).toEqual([{ r: null, t: null }]);
      await another.disconnect();
    }
    await graph.disconnect();
  });
});

describe('an import', () => {
  it('goes to Neo4j and back, and every graph says the same', async () => {
    const neo4j = await open();
    const first = new EmbeddedBackend(store, { templates });
    const other = await openSqlite(':memory:');
    const second = new EmbeddedBackend(other, { templates });
    await Promise.all([first.connect(), second.connect()]);
    await fill(first, 'word');
    await first.ingestManifest(source('rival', { concepts: [{ name: 'Thing 7', description: 'rival' }] }));
    const move = (current: GraphBackend, to: GraphBackend) =>
      new GraphImports({
        store,
        current,
        open: async () => to,
        exclusive: (work) => work(),
        follow: async () => undefined,
      }).run({ from: current.kind, to: to.kind });
    const there = await move(first, neo4j);
    expect(there).toMatchObject({ from: 'embedded', to: 'neo4j', checksum: (await digestOf(first)).checksum });
    expect(await seen(neo4j, D)).toEqual(await seen(first, D));
    const again = await open();
    expect(await move(again, second)).toMatchObject({ checksum: there.checksum });
    expect(await seen(second, D)).toEqual(await seen(first, D));
    await other.close();
  });
});
