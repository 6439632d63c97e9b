import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { bringForward } from '../../src/backends/graph/neo4j/legacy/bring-forward.js';
import { openService, type TestService } from '../service/harness.js';
import { neo4jConnection, neo4jOptions, wipe } from './neo4j.js';

const FIXTURE = 'test/fixtures/neo4j-release-0.1';
const { uri, password } = neo4jOptions();
const NEO4J = {
  SVC_GRAPH: 'neo4j',
  SVC_NEO4J_URI: uri,
  ...(password === undefined ? {} : { SVC_NEO4J_PASSWORD: password }),
};
const answered = JSON.parse(readFileSync(`${FIXTURE}/answers.json`, 'utf8'));

interface AnsweredRule {
  readonly id: string;
  readonly text: string;
  readonly derivation: string;
  readonly source_concepts: readonly string[];
  readonly metadata: { readonly passages?: readonly string[] };
}

describe('a Neo4j database and a data directory of release 0.1', () => {
  const connection = neo4jConnection();
  let root: string;
  let directory: string;

  beforeAll(() => connection.connect());
  afterAll(() => connection.disconnect());
  beforeEach(async () => {
    await wipe(connection);
    for (const statement of readFileSync(`${FIXTURE}/graph.cypher`, 'utf8').trim().split(';\n')) {
      await connection.schema(statement.replace(/;$/, ''));
    }
    root = mkdtempSync(join(tmpdir(), 'release-'));
    directory = join(root, 'data');
    mkdirSync(directory);
    writeFileSync(join(directory, 'svc.sqlite'), gunzipSync(readFileSync(`${FIXTURE}/svc.sqlite.gz`)));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  /** What release 0.1 answered must be there; templates, counts shown and the ranking are those of today. */
  const expectSame = async (test: TestService) => {
    const domains = answered.domains.domains.map(({ passages: _, ...one }: Record<string, unknown>) => one);
    expect((await test.get('/v1/domains')).body).toEqual({ domains });
    // Release 0.1 kept the passages that state a rule among the concepts that it is about.
    const touched = ({ source_concepts, metadata: { passages = [], ...metadata }, ...rule }: AnsweredRule) => ({
      ...rule,
      metadata,
      source_concepts: [...new Set([...source_concepts, ...passages])].sort(),
    });
    const rules = ({ rules: list }: { rules: AnsweredRule[] }) =>
      list
        .map(touched)
        .map(({ text, ...rule }) => (rule.derivation === 'derived' ? rule : { ...rule, text }))
        .sort((a, b) => (a.id < b.id ? -1 : 1));
    expect(rules((await test.post('/v1/rules', { limit: 1000 })).body)).toEqual(rules(answered.rules));
    const undated = ({ documents }: { documents: Array<Record<string, unknown>> }) =>
      documents
        .map(({ updated_at: _, ...one }) => one)
        .sort((a, b) => (String(a.source_id) < String(b.source_id) ? -1 : 1));
    expect(undated((await test.get('/v1/documents')).body)).toEqual(undated(answered.documents));
    for (const [context, items] of Object.entries(answered.answers as Record<string, Array<{ id: string }>>)) {
      const { body } = await test.post('/v1/query', { context, mode: 'graph', top_k: 100 });
      const ids = new Set(body.items.map(({ id }: { id: string }) => id));
      expect([context, items.slice(0, 3).filter(({ id }) => !ids.has(id))]).toEqual([context, []]);
    }
  };
  const left = () =>
    connection.query('MATCH (n) WHERE n:Graph OR n:Source OR n:Assertion OR n:Word RETURN count(n) AS old');

  it('are brought forward without loss when the service starts, once', async () => {
    for (const start of ['first', 'second']) {
      const test = await openService({ ...NEO4J, SVC_DATA_DIR: directory });
      try {
        expect([start, await left()]).toEqual([start, [{ old: 0 }]]);
        await expectSame(test);
        expect((await test.get('/v1/status')).body.engines).toMatchObject([
          { engine: 'neo4j', state: 'following', behind: 0 },
        ]);
      } finally {
        await test.close();
      }
    }
  });

  it('are brought forward by the next start where one was killed in the middle', async () => {
    const first = await openService({ SVC_DATA_DIR: directory, SVC_GRAPH: 'embedded' });
    const ledger = first.service.graph as unknown as Parameters<typeof bringForward>[1];
    let writes = 0;
    const ingest = ledger.ingestManifests.bind(ledger);
    ledger.ingestManifests = (manifests, scope) => {
      writes += 1;
      if (writes > 2) throw new Error('killed');
      return ingest(manifests, scope);
    };
    await expect(bringForward(connection, ledger)).rejects.toThrow('killed');
    await first.close();
    const test = await openService({ ...NEO4J, SVC_DATA_DIR: directory });
    try {
      await expectSame(test);
    } finally {
      await test.close();
    }
  });
});
