import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Neo4jConnection } from '../../src/backends/neo4j-connection.js';
import { seededRandom } from '../../src/core/random.js';
import { openService, snapshot, type TestService } from '../service/harness.js';
import { post, startProcess } from '../service/process.js';
import { stations } from '../service/stations.js';
import { wipe } from './neo4j.js';
import { type OwnNeo4j, ownNeo4j } from './own-servers.js';

// A server of its own, since it is killed here.
let server: OwnNeo4j;
beforeAll(async () => {
  server = await ownNeo4j();
});
afterAll(() => server?.stop());

const environment = () => ({ SVC_GRAPH: 'neo4j', SVC_NEO4J_URI: server.uri });

async function empty(): Promise<void> {
  const connection = new Neo4jConnection({ uri: server.uri });
  await connection.connect();
  await wipe(connection);
  await connection.disconnect();
}

const textOf = (i: number) => stations(i, 12);
const batchOf = (i: number) => ({
  domain: 'ridge',
  source_id: `batch ${i}`,
  concepts: [
    { name: `Ridge ${i}`, description: `A ridge of batch ${i}.` },
    { name: 'Valley', description: `Seen from batch ${i}.` },
  ],
  edges: [{ source: `Ridge ${i}`, target: 'Valley', relation: 'PART_OF' }],
});

/** What the embedded graph has after the same writes: a run without any fault. */
async function faultless(labels: readonly string[]): Promise<Awaited<ReturnType<typeof snapshot>>> {
  const fresh = await openService();
  try {
    for (const label of labels) {
      const [kind, i] = label.split(' ');
      if (kind === 'document') await fresh.post('/v1/ingest/text', textOf(Number(i)));
      else await fresh.post('/v1/ingest/structured', batchOf(Number(i)));
    }
    return await snapshot(fresh, 'ridge');
  } finally {
    await fresh.close();
  }
}

/** Until Neo4j has applied all changes. */
async function applied({ service }: TestService): Promise<void> {
  for (let second = 0; second < 120; second += 1) {
    const [engine] = await service.followers.status();
    if (engine?.state === 'following' && engine.behind === 0) return;
    await new Promise((done) => setTimeout(done, 1000));
  }
  throw new Error('Neo4j is behind after two minutes.');
}

/** A resync finds nothing to do but to write what carries no fingerprint (keys whose arcs changed) once more. */
async function expectEngineEqualsLedger(test: TestService): Promise<void> {
  const connection = new Neo4jConnection({ uri: server.uri });
  await connection.connect();
  const [unknown] = await connection.query(
    `CALL () { MATCH (n:Key|Rule|Node|Domain) WHERE n.fingerprint IS NULL RETURN count(n) AS records }
     CALL () { MATCH (p:Passage) WHERE p.mentions_fingerprint IS NULL AND EXISTS { (p)-[:MENTIONS]->() } RETURN count(p) AS passages }
     RETURN records + passages AS count`,
  );
  await connection.disconnect();
  const synced = await test.service.followers.resync('neo4j');
  expect(synced.get('neo4j')).toMatchObject({ written: 0, rewritten: unknown?.count, removed: 0 });
  expect((await test.service.followers.resync('neo4j')).get('neo4j')).toMatchObject({
    written: 0,
    rewritten: 0,
    removed: 0,
  });
}

describe('a Neo4j that is killed with -9 during ingest and started again', () => {
  it('has all that was acknowledged; interrupted loads are whole or not there', async () => {
    await empty();
    const test = await openService(environment());
    try {
      await test.post('/v1/ingest/text', textOf(0));
      const answers = [1, 2, 3].map((i) => test.post('/v1/ingest/text', textOf(i)));
      answers.push(test.post('/v1/ingest/structured', batchOf(1)));
      const sent = ['document 1', 'document 2', 'document 3', 'batch 1'];
      await new Promise((done) => setTimeout(done, 700));
      await server.crash();
      await server.restart();
      const ended = await Promise.all(answers);
      expect(ended.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
      const acknowledged = ['document 0', ...ended.flatMap(({ status }, i) => (status === 200 ? [sent[i]!] : []))];
      await applied(test);
      const { body } = await test.get('/v1/documents');
      const labels = body.documents.map((one: { label: string }) => one.label).sort();
      expect(labels).toEqual(expect.arrayContaining(acknowledged));
      expect(await snapshot(test, 'ridge')).toEqual(await faultless(labels));
      await expectEngineEqualsLedger(test);
    } finally {
      await test.close();
    }
  });
});

describe('a service on Neo4j that is killed with -9', () => {
  it('loses nothing acknowledged and leaves no half, whenever it dies', async () => {
    await empty();
    const directory = mkdtempSync(join(tmpdir(), 'crash-'));
    const random = seededRandom('kill points on neo4j');
    const acknowledged = new Set<string>();
    let typical = 2500;
    for (let i = 0; i < 6; i += 1) {
      const process = await startProcess(directory, environment());
      const started = performance.now();
      const work = [
        post(process.url, '/v1/ingest/text', textOf(i)),
        post(process.url, '/v1/ingest/structured', batchOf(i)),
      ] as const;
      const deadline = new Promise<null>((done) => setTimeout(() => done(null), random() * typical));
      if ((await Promise.race([Promise.all(work), deadline])) !== null) typical = performance.now() - started;
      await process.kill();
      const [document, batch] = await Promise.all(work);
      if (document?.status === 200) acknowledged.add(`document ${i}`);
      if (batch?.status === 200) acknowledged.add(`batch ${i}`);
    }
    const after = await openService({ ...environment(), SVC_DATA_DIR: directory });
    try {
      await applied(after);
      const { body } = await after.get('/v1/documents');
      const present: string[] = body.documents.map((entry: { label: string }) => entry.label);
      for (const label of acknowledged) expect(present).toContain(label);
      const order = [...present].sort((a, b) => Number(a.split(' ')[1]) - Number(b.split(' ')[1]));
      const [mine, clean] = [await snapshot(after, 'ridge'), await faultless(order)];
      // Of equally sure descriptions the newest write is seen, and a write that was repeated is newer.
      const comparable = (graph: typeof mine) => ({
        ...graph,
        nodes: graph.nodes.map((node) => (node.name === 'Valley' ? { ...node, description: '' } : node)),
      });
      expect(comparable(mine)).toEqual(comparable(clean));
      await expectEngineEqualsLedger(after);
    } finally {
      await after.close();
      rmSync(directory, { recursive: true, force: true });
    }
  });
});

describe('a Neo4j that is down', () => {
  it('lets the service start, refuse what it cannot do, and catches up when it is back', async () => {
    await empty();
    const directory = mkdtempSync(join(tmpdir(), 'down-'));
    const first = await openService({ ...environment(), SVC_DATA_DIR: directory });
    await first.post('/v1/ingest/text', textOf(0));
    await first.close();
    await server.crash();
    const test = await openService({ ...environment(), SVC_DATA_DIR: directory, SVC_FOLLOW_TIMEOUT_MS: '500' });
    try {
      const { body } = await test.get('/v1/status');
      expect(body).toMatchObject({ status: 'degraded', engines: [{ engine: 'neo4j', state: 'degraded' }] });
      expect(body.engines[0].error).toMatch(/does not answer/);
      expect((await test.get('/v1/documents')).body.documents).toHaveLength(1);
      expect(await test.post('/v1/ingest/text', textOf(1))).toMatchObject({ status: 503 });
      expect((await test.get('/v1/documents')).body.documents).toHaveLength(1);
      await server.restart();
      await applied(test);
      expect(await test.post('/v1/ingest/text', textOf(1))).toMatchObject({ status: 200 });
      await applied(test);
      await expectEngineEqualsLedger(test);
    } finally {
      await test.close();
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
