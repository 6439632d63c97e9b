import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { StoredCheckpoints } from '../../src/backends/graph/neo4j/checkpoint/checkpoint-store.js';
import { RestoreSteps } from '../../src/backends/graph/neo4j/checkpoint/restore-steps.js';
import { Neo4jGraph } from '../../src/backends/graph/neo4j.js';
import type { Neo4jConnection } from '../../src/backends/neo4j-connection.js';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { withLease } from '../../src/backends/store/leases.js';
import { addOutbox } from '../../src/backends/store/outbox.js';
import type { Store } from '../../src/backends/store/scope.js';
import { D, mentions, passage, source, templates } from '../contracts/graph/fixture.js';
import { seen } from '../contracts/graph/worlds.js';
import { openService, reachText } from '../service/harness.js';
import { neo4jConnection, neo4jEnvironment, wipe } from './neo4j.js';
import { BreaksOff, LosesAnswers, WhileReading } from './neo4j-troubled.js';

const connection = neo4jConnection();
beforeAll(() => connection.connect());
afterAll(() => connection.disconnect());

let store: Store;
const opened: Neo4jGraph[] = [];
beforeEach(async () => {
  await wipe(connection);
  store = await openSqlite(':memory:');
});
afterEach(async () => {
  for (const graph of opened.splice(0)) await graph.disconnect();
  await store.close();
});

async function open(atOnce?: number): Promise<Neo4jGraph> {
  const options = atOnce === undefined ? {} : { atOnce };
  const checkpoints = (own: Neo4jConnection) => new StoredCheckpoints(own, store, options);
  const graph = new Neo4jGraph(connection, { templates, checkpoints });
  await graph.connect();
  opened.push(graph);
  return graph;
}

const first = source('first', {
  concepts: Array.from({ length: 30 }, (_, i) => ({ name: `Thing ${i}`, description: `of ${i}` })),
  edges: Array.from({ length: 29 }, (_, i) => ({ source: `Thing ${i}`, target: `Thing ${i + 1}`, relation: 'USES' })),
  rules: [{ text: 'Thing 1 must not use Thing 2.' }],
  passages: [passage('p', { titles: ['Rome'] }), passage('q', {})],
});

async function fill(graph: Neo4jGraph): Promise<void> {
  await graph.ingestManifest(first);
  await graph.setMentions(D, [{ id: 'd:q', mentions: mentions('Rome', 'Thing 1') }]);
}

/** How many nodes of each kind and relationships of each type there are. */
function counts(graph: Neo4jGraph) {
  return graph.query(
    `MATCH (n) WHERE NOT n:Graph UNWIND labels(n) AS kind RETURN kind, count(*) AS n ORDER BY kind
     UNION ALL MATCH ()-[r]->() RETURN type(r) AS kind, count(*) AS n ORDER BY kind`,
  );
}

const marks = (graph: Neo4jGraph) =>
  graph.query("MATCH (g:Graph {name: 'graph'}) RETURN g.restoring AS restoring, g.tables AS tables");
const NONE = [{ restoring: null, tables: null }];
const mark = (name: string, value: string) =>
  connection.write((tx) => tx.run(`MATCH (g:Graph {name: 'graph'}) SET g.${name} = $value`, { value }));

/** Puts a checkpoint back over a connection that is lost on the way; the graph is left between. */
async function brokenRestore(of: Store, id: string): Promise<void> {
  const lost = new BreaksOff(16);
  await lost.connect();
  try {
    const checkpoints = new StoredCheckpoints(lost, of, { atOnce: 0 });
    await expect(checkpoints.restore(id)).rejects.toMatchObject({ code: 'unavailable' });
  } finally {
    await lost.disconnect();
  }
}

describe('a restore on Neo4j', () => {
  it.each([
    ['in steps', 0],
    ['at once', 1_000_000],
  ])('%s writes nothing twice where no commit gets an answer', async (_how, atOnce) => {
    const graph = await open();
    await fill(graph);
    const [before, all] = [await seen(graph, D), await counts(graph)];
    const id = await graph.checkpoint();
    await graph.deleteDomain(D);
    const lossy = new LosesAnswers();
    await lossy.connect();
    const { changed } = await new StoredCheckpoints(lossy, store, { atOnce }).restore(id);
    await lossy.disconnect();
    expect(changed).toHaveLength(32);
    expect(await counts(graph)).toEqual(all);
    expect(await seen(graph, D)).toEqual(before);
    expect(await marks(graph)).toEqual(NONE);
  });

  it('that broke off is replaced by the next one, whole and for good', async () => {
    const graph = await open();
    await fill(graph);
    const old = await graph.checkpoint();
    await graph.ingestManifest(source('second', { concepts: [{ name: 'Second' }] }));
    const [wanted, all] = [await seen(graph, D), await counts(graph)];
    const id = await graph.checkpoint();
    await brokenRestore(store, old);
    await expect(graph.version()).rejects.toMatchObject({ code: 'unavailable' });
    // Few elements are left, so that this one would fit into one transaction.
    const { changed } = await graph.restore(id);
    expect(changed).toHaveLength(33);
    expect(await seen(graph, D)).toEqual(wanted);
    expect(await counts(graph)).toEqual(all);
    expect(await marks(graph)).toEqual(NONE);
    expect(await seen(await open(), D)).toEqual(wanted);
  });

  it('that broke off is gone on with by a replica, without a restart', async () => {
    const graph = await open();
    const replica = await open();
    await fill(graph);
    const wanted = await seen(graph, D);
    const id = await graph.checkpoint();
    await graph.ingestManifest(source('second', { concepts: [{ name: 'Second' }] }));
    await brokenRestore(store, id);
    const lease = { name: 'graph:neo4j-restore', holder: randomUUID(), ttl: 30_000, clock: Date.now };
    expect(await withLease(store, lease, () => replica.resumeRestore())).toBe(false);
    await expect(graph.version()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await replica.resumeRestore()).toBe(true);
    expect(await seen(graph, D)).toEqual(wanted);
    expect(await marks(graph)).toEqual(NONE);
    expect(await replica.resumeRestore()).toBe(true);
  });

  it('is gone on with by a service that runs, text and vectors included', async () => {
    const test = await openService(await neo4jEnvironment());
    try {
      const { graph, store: own, text } = test.service;
      await test.post('/v1/ingest/text', reachText('tower'));
      const { id } = await test.service.checkpoints.make();
      const before = await graph.findNodes();
      await test.post('/v1/ingest/text', reachText('voss'));
      // As `replaceGraph` leaves it behind when the graph cannot be reached any more.
      await own.write(({ db }) => addOutbox(db, 'reindex', 'null', '2026-01-01T00:00:00.000Z'));
      await brokenRestore(own, id);
      await expect(graph.findNodes()).rejects.toMatchObject({ code: 'unavailable' });
      for (let second = 0; second < 60; second += 1) {
        const notes = await own.db.selectFrom('outbox').select('id').execute();
        if (notes.length === 0) break;
        await new Promise((done) => setTimeout(done, 1000));
      }
      expect(await graph.findNodes()).toEqual(before);
      const indexed = before.filter((node) => node.kind !== 'entity').length;
      expect(await text.count('reach')).toBe(indexed);
    } finally {
      await test.close();
    }
  });

  it('tells a process off whose place another one has taken', async () => {
    const graph = await open();
    await fill(graph);
    await mark('restoring', 'some');
    const late = await RestoreSteps.begin(connection, 'some');
    const next = await RestoreSteps.begin(connection, 'some');
    await expect(late.run('CREATE (:Assertion {edge_id: 0})')).rejects.toMatchObject({ code: 'unavailable' });
    expect(await next.run('RETURN 1 AS one')).toEqual([{ one: 1 }]);
    expect(await graph.query('MATCH (a:Assertion {edge_id: 0}) RETURN a')).toEqual([]);
    await expect(RestoreSteps.begin(connection, 'other')).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('a checkpoint', () => {
  it.each(['restoring', 'tables'])('is not made while the graph is %s', async (name) => {
    const graph = await open();
    await fill(graph);
    await mark(name, 'some');
    await expect(graph.checkpoint()).rejects.toMatchObject({ code: 'unavailable', retriable: true });
    expect(await graph.listCheckpoints()).toEqual([]);
  });

  it('is not made where a restore began while it was being read', async () => {
    const graph = await open();
    await fill(graph);
    const reading = new WhileReading(/elementId/, () => mark('restoring', 'some'));
    await reading.connect();
    const checkpoints = new StoredCheckpoints(reading, store);
    await expect(checkpoints.make()).rejects.toMatchObject({ code: 'unavailable' });
    await reading.disconnect();
    expect(await graph.listCheckpoints()).toEqual([]);
  });

  it('is made once where its commit gets no answer', async () => {
    const graph = await open();
    await fill(graph);
    const moved = new WhileReading(/elementId/, () => graph.createDomain('other'));
    const lossy = new LosesAnswers();
    await Promise.all([moved.connect(), lossy.connect()]);
    moved.write = lossy.write.bind(lossy);
    const id = await new StoredCheckpoints(moved, store).make();
    await Promise.all([moved.disconnect(), lossy.disconnect()]);
    expect((await graph.listCheckpoints()).map((one) => one.id)).toEqual([id]);
    const before = await counts(graph);
    await graph.restore(id);
    expect(await counts(graph)).toEqual(before);
  });
});
