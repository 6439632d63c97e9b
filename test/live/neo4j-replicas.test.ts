import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { openService } from '../service/harness.js';
import { post, startProcess } from '../service/process.js';
import { waitFor } from '../support/wait-for.js';
import { describeLive, liveUrl } from '../vector/live-engine.js';
import { FreshDatabases } from './fresh-databases.js';
import { neo4jConnection, neo4jEnvironment } from './neo4j.js';

const batchOf = (i: number) => ({
  domain: 'ridge',
  source_id: `batch ${i}`,
  concepts: Array.from({ length: 20 }, (_, n) => ({
    name: `Ridge ${i}-${n}`,
    description: `Part ${n} of batch ${i}.`,
  })),
  edges: Array.from({ length: 19 }, (_, n) => ({
    source: `Ridge ${i}-${n}`,
    target: `Ridge ${i}-${n + 1}`,
    relation: 'PART_OF',
  })),
});

describeLive('replicas on Neo4j', liveUrl('PG_URL', 'PostgreSQL'), (server) => {
  const databases = new FreshDatabases(server);
  const root = mkdtempSync(join(tmpdir(), 'neo4j-replicas-'));
  afterAll(async () => {
    await databases.dropAll();
    rmSync(root, { recursive: true, force: true });
  });

  describe('two processes that follow one ledger into one Neo4j', () => {
    it('apply every change once though one of them is killed in the middle', async () => {
      const environment = { ...(await neo4jEnvironment()), ...(await databases.environment()) };
      const open = (name: string) => startProcess(join(root, name), environment);
      const [one, two] = await Promise.all([open('one'), open('two')]);
      const sent = [0, 1, 2, 3, 4, 5, 6, 7].map((i) =>
        post((i % 2 === 0 ? one : two).url, '/v1/ingest/structured', batchOf(i)),
      );
      await Promise.race(sent);
      await two.kill();
      const answers = await Promise.all(sent);
      const acknowledged = answers.flatMap((answer, i) => (answer?.status === 200 ? [i] : []));
      expect(acknowledged).toEqual(expect.arrayContaining([0, 2, 4, 6]));
      const three = await open('three');
      const more = await Promise.all(
        [8, 9, 10, 11].map((i) => post((i % 2 === 0 ? one : three).url, '/v1/ingest/structured', batchOf(i))),
      );
      expect(more.map((answer) => answer?.status)).toEqual([200, 200, 200, 200]);
      await Promise.all([one.stop(), three.stop()]);
      const after = await openService(environment);
      try {
        await waitFor(
          async () => {
            const [engine] = await after.service.followers.status();
            expect(engine).toMatchObject({ engine: 'neo4j', state: 'following', behind: 0 });
          },
          { timeout: 120_000, interval: 500 },
        );
        const nodes = await after.service.graph.findNodes({ domain: 'ridge', limit: 1000 });
        const batches = new Set(nodes.map(({ name }) => Number(/^Ridge (\d+)-/.exec(name)?.[1])));
        for (const i of [...acknowledged, 8, 9, 10, 11]) expect(batches).toContain(i);
        expect(nodes).toHaveLength(batches.size * 20);
        const connection = neo4jConnection();
        await connection.connect();
        const [held] = await connection.query(
          'MATCH (n:Node) WITH count(n) AS nodes MATCH ()-[r:PART_OF]->() RETURN nodes, count(r) AS edges',
        );
        await connection.disconnect();
        expect(held).toEqual({ nodes: batches.size * 20, edges: batches.size * 19 });
        const synced = await after.service.followers.resync('neo4j');
        expect(synced.get('neo4j')).toMatchObject({ written: 0, removed: 0 });
      } finally {
        await after.close();
      }
    }, 300_000);
  });
});
