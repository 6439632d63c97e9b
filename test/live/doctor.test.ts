import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { openPostgres } from '../../src/backends/store/engine/postgres.js';
import { svcJson } from '../cli/captured.js';
import { cleanUp, temporaryDirectory } from '../cli/processes.js';
import { type EachEnvironment, reachText, type TestService, withService } from '../service/harness.js';
import { emptyQdrant } from './empty-qdrant.js';
import { FreshDatabases } from './fresh-databases.js';
import { neo4jConnection, neo4jEnvironment } from './neo4j.js';

const databases = new FreshDatabases(process.env.PG_URL ?? '');
afterAll(() => databases.dropAll());

/** Takes away one vector, and adds one of no node. */
async function damageVectors({ service }: TestService): Promise<void> {
  const { indexName } = await service.concepts.current();
  const [entry] = await service.vectors.scan(indexName, { limit: 1 });
  const vectors = await service.vectors.fetch(indexName, [entry!.id]);
  await service.vectors.delete(indexName, { ids: [entry!.id] });
  await service.vectors.upsert(indexName, [{ id: 'reach:gone', vector: vectors.get(entry!.id)!, partition: 'reach' }]);
}

async function damageNeo4j(): Promise<void> {
  const connection = neo4jConnection();
  await connection.connect();
  for (const statement of [
    "MATCH (a:Concept) WITH a ORDER BY a.ref LIMIT 1 SET a.fingerprint = 'of another'",
    'MATCH (p:Passage) WITH p ORDER BY p.ref LIMIT 1 DETACH DELETE p',
    'MATCH (a:Concept) WITH a ORDER BY a.ref LIMIT 1 CREATE (a)-[:INVENTED]->(a)',
    'MATCH (d:TextDocument) WITH d LIMIT 1 DELETE d',
  ]) {
    await connection.query(statement, {}, { access: 'write' });
  }
  await connection.disconnect();
}

interface Case {
  readonly environment: EachEnvironment;
  readonly damage: (test: TestService) => Promise<void>;
  /** What is found of each part that is damaged. */
  readonly found: Readonly<Record<string, object>>;
}

const CASES: Readonly<Record<string, Case>> = {
  'PostgreSQL with pgvector': {
    environment: () => databases.environment(),
    damage: async (test) => {
      await damageVectors(test);
      await test.service.store.write(({ db }) =>
        sql`delete from text_doc where id = (select min(id) from text_doc)`.execute(db),
      );
    },
    found: { 'text index': { missing: 1, stale: 0 }, vectors: { missing: 1, different: 0, stale: 1 } },
  },
  Qdrant: {
    environment: () => emptyQdrant(process.env.QDRANT_URL!),
    damage: damageVectors,
    found: { qdrant: { missing: 1, different: 0, stale: 1 } },
  },
  'Neo4j, also as the text index': {
    environment: async () => ({ ...(await neo4jEnvironment()), SVC_TEXT: 'neo4j' }),
    damage: damageNeo4j,
    found: {
      neo4j: { missing: expect.any(Number), different: 1, stale: expect.any(Number) },
      'neo4j-text': { missing: 1, different: 0, stale: 0 },
    },
  },
};

describe.each(Object.entries(CASES))('%s', (_name, { environment, damage, found }) => {
  it('is compared with the ledger, part by part; a repair mends what was found', async () => {
    await withService(environment, async (test) => {
      await test.service.ingest.text({ ...reachText('tower'), format: 'markdown' });
      await test.service.ingest.structured({
        domain: 'reach',
        source_id: 's',
        concepts: [{ name: 'Pump' }, { name: 'Valve' }],
        edges: [{ source: 'Pump', target: 'Valve', relation: 'requires' }],
        rules: [],
      });
      const before = await test.service.repair.examine();
      expect(before.parts.map(({ part }) => part)).toEqual(expect.arrayContaining(Object.keys(found)));
      expectWhole(before);
      for (const { records } of before.parts) expect(records).toBeGreaterThan(0);
      await damage(test);
      const { parts } = await test.service.repair.examine();
      for (const [part, difference] of Object.entries(found)) {
        expect(parts.find((one) => one.part === part)).toMatchObject({ ...difference, error: null });
      }
      await test.service.repair.run();
      expectWhole(await test.service.repair.examine());
    });
  });
});

function expectWhole({ counts, parts }: Awaited<ReturnType<TestService['service']['repair']['examine']>>): void {
  expect(counts).toEqual([]);
  for (const { part, missing, different, stale, error } of parts) {
    expect({ part, missing, different, stale, error }).toEqual({
      part,
      missing: 0,
      different: 0,
      stale: 0,
      error: null,
    });
  }
}

/** Leaves what a failed build leaves: an index of vectors that is not valid. */
async function breakGraph(): Promise<void> {
  const store = await openPostgres(process.env.DATABASE_URL!, { migrate: false, connections: 1 });
  const found = await sql<{ name: string }>`select tablename as name from pg_tables
    where tablename ~ '^pgv_[0-9]+_cosine$'`.execute(store.db);
  const [{ name } = { name: '' }] = found.rows;
  const build = sql`create unique index concurrently ${sql.ref(`${name}_hnsw`)} on ${sql.table(name)} ((1))`;
  await expect(build.execute(store.db)).rejects.toThrow('could not create unique index');
  await store.close();
}

describe('svc doctor', () => {
  const before = { ...process.env };
  beforeEach(async () => {
    Object.assign(process.env, await databases.environment(), {
      SVC_DATA_DIR: temporaryDirectory(),
      SVC_EMBEDDING: 'static',
      SVC_LOG_LEVEL: 'error',
    });
  });
  afterEach(async () => {
    process.env = { ...before };
    await cleanUp();
  });

  it('asks the service where the ledger lies in PostgreSQL, and says what keeps it from an answer', async () => {
    const engines = async () => {
      const { checks } = await svcJson('doctor');
      return checks.filter(({ name }: { name: string }) => /^(ledger|text index|vectors|engines)$/.test(name));
    };
    await svcJson(
      'call',
      'ingest_text',
      '--input',
      JSON.stringify({
        text: '# Pump\n\nA pump feeds a valve.\n\n# Valve\n\nA valve stops a pump.',
        domain: 'd',
        format: 'markdown',
      }),
    );
    expect(await engines()).toMatchObject([
      { name: 'ledger', state: 'ok' },
      { name: 'text index', state: 'ok' },
      { name: 'vectors', state: 'ok' },
    ]);
    await breakGraph();
    const { checks } = await svcJson('doctor').catch((error: unknown) => error as { checks?: never });
    const said = expect.stringMatching(/^vector index svc_concepts_\S+: its graph could not be built, so each query/u);
    expect(checks).toContainEqual({ name: 'vector graph', state: 'warning', found: said });
    expect(await svcJson('status')).toMatchObject({ status: 'ok', limits: [said] });
    const address = new URL(process.env.DATABASE_URL!);
    address.port = '1';
    process.env.DATABASE_URL = address.href;
    await expect(engines()).rejects.toThrow('exit code 1');
  });
});
