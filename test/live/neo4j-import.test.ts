import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { seededRandom } from '../../src/core/random.js';
import { cleanUp, end, finished, start, temporaryDirectory } from '../cli/processes.js';
import { checkpointsSuite } from '../service/checkpoints.suite.js';
import { DOCUMENTS, openService, snapshot, type TestService } from '../service/harness.js';
import { neo4jConnection, neo4jOptions, wipe } from './neo4j.js';

const { uri, password } = neo4jOptions();
const NEO4J = { SVC_NEO4J_URI: uri, ...(password === undefined ? {} : { SVC_NEO4J_PASSWORD: password }) };
const connection = neo4jConnection();
beforeAll(() => connection.connect());
afterAll(async () => {
  await connection.disconnect();
  await cleanUp();
});

checkpointsSuite('Neo4j', async () => {
  await wipe(connection);
  return openService({ SVC_GRAPH: 'neo4j', ...NEO4J });
});

async function fill(test: TestService): Promise<void> {
  for (const [name, text] of Object.entries(DOCUMENTS)) {
    await test.post('/v1/ingest/text', { text, domain: 'north', format: 'markdown', name });
  }
  for (let i = 0; i < 40; i += 1) {
    await test.post('/v1/ingest/structured', {
      domain: 'north',
      source_id: `batch ${i}`,
      concepts: [{ name: 'Lamp', description: `told by ${i}` }, { name: `Part ${i}` }],
      edges: [
        { source: `Part ${i}`, target: 'Lamp', relation: 'part_of' },
        { source: 'Lamp', target: `Part ${i + 1}`, relation: 'contains' },
      ],
    });
  }
}

describe('svc graph import', () => {
  const directory = join(temporaryDirectory(), 'data');
  mkdirSync(directory);
  const run = (graph: string, ...args: string[]) => {
    const environment = { SVC_DATA_DIR: directory, SVC_EMBEDDING: 'static', SVC_GRAPH: graph, ...NEO4J };
    return start('src/cli/main.ts', ['graph', 'import', ...args, '--json'], environment);
  };

  /** Waits for the lease of one that was killed. */
  const replacing = async (...args: [graph: string, ...rest: string[]]) => {
    for (let attempt = 0; ; attempt += 1) {
      const done = await finished(run(...args));
      if (!done.stderr.includes('imported already') || attempt === 20) return done;
      await new Promise((again) => setTimeout(again, 3000));
    }
  };

  it('moves a graph to Neo4j, however often it is killed; then the service runs on it', async () => {
    await wipe(connection);
    const before = await openService({ SVC_DATA_DIR: directory });
    await fill(before);
    const embedded = await snapshot(before, 'north');
    await before.close();
    const random = seededRandom('import');
    for (let i = 0; i < 4; i += 1) {
      const child = run('embedded', '--from', 'embedded', '--to', 'neo4j');
      await Promise.race([finished(child), new Promise((done) => setTimeout(done, 1500 + random() * 4000))]);
      await end(child, 'SIGKILL');
    }
    const done = await replacing('embedded', '--from', 'embedded', '--to', 'neo4j', '--replace');
    expect([done.code, done.stderr]).toEqual([0, '']);
    expect(JSON.parse(done.stdout)).toMatchObject({ from: 'embedded', to: 'neo4j', sources: 43 });
    const after = await openService({ SVC_DATA_DIR: directory, SVC_GRAPH: 'neo4j', ...NEO4J });
    try {
      expect(await snapshot(after, 'north')).toEqual(embedded);
      const answer = await after.post('/v1/query', { context: 'Where was Mira Voss born?', domains: ['north'] });
      expect(answer.body.items[0].content).toContain('Port Helm');
    } finally {
      await after.close();
    }
  });

  it('moves it back; text index and vectors of the graph that serves follow', async () => {
    const serving = await openService({ SVC_DATA_DIR: directory, SVC_GRAPH: 'neo4j', ...NEO4J });
    await serving.post('/v1/ingest/text', { text: 'The bell of Skarn rings at noon.', domain: 'north', name: 'bell' });
    const { body } = await serving.get('/v1/documents');
    const gone = body.documents.find((one: { label: string }) => one.label === 'tower');
    await serving.delete(`/v1/documents/${gone.source_id}`);
    const neo4j = await snapshot(serving, 'north');
    await serving.close();
    const refused = await finished(run('embedded', '--from', 'neo4j'));
    expect([refused.code, JSON.parse(refused.stderr)]).toMatchObject([1, { code: 'conflict' }]);
    const done = await replacing('embedded', '--from', 'neo4j', '--replace');
    expect([done.code, done.stderr]).toEqual([0, '']);
    const after = await openService({ SVC_DATA_DIR: directory });
    try {
      expect(await snapshot(after, 'north')).toEqual(neo4j);
      const answer = await after.post('/v1/query', { context: 'When does the bell ring?', domains: ['north'] });
      expect(answer.body.items[0].content).toContain('noon');
    } finally {
      await after.close();
    }
  });
});
