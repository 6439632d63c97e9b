import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Neo4jGraph } from '../../src/backends/graph/neo4j.js';
import { openService, type TestService } from '../service/harness.js';
import { neo4jEnvironment } from './neo4j.js';

const SAMPLES = ['encyclopedia.md', 'handbook.md'];
const asked = JSON.parse(readFileSync('samples/questions.json', 'utf8')) as {
  answered?: ReadonlyArray<{ question: string }>;
} & ReadonlyArray<{ question: string }>;

/** Questions of the sample, whatever they are grouped by. */
function questions(): string[] {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return;
    if ('question' in value && typeof value.question === 'string') found.push(value.question);
    for (const part of Object.values(value)) visit(part);
  };
  visit(asked);
  return found;
}

describe('a query on Neo4j', () => {
  let embedded: TestService;
  let neo4j: TestService;
  beforeAll(async () => {
    embedded = await openService();
    // What queries teach in the background reads the graph too; here only the queries themselves are counted.
    neo4j = await openService({ ...(await neo4jEnvironment()), SVC_INTEROCEPTION: 'off' });
    for (const test of [embedded, neo4j]) {
      for (const name of SAMPLES) {
        const text = readFileSync(`samples/${name}`, 'utf8');
        const answer = await test.post('/v1/ingest/text', { text, domain: 'sample', format: 'markdown', name });
        expect(answer.status).toBe(200);
      }
    }
  });
  afterAll(async () => {
    await embedded?.close();
    await neo4j?.close();
  });

  it('finds the same best five on the sample as the embedded graph', async () => {
    let same = 0;
    const list = questions().slice(0, 40);
    for (const context of list) {
      const body = { context, domains: ['sample'], mode: 'graph', top_k: 5 };
      const ids = async (test: TestService): Promise<string[]> =>
        (await test.post('/v1/query', body)).body.items.map((item: { id: string }) => item.id);
      const [mine, theirs] = [await ids(neo4j), await ids(embedded)];
      if (JSON.stringify(mine) === JSON.stringify(theirs)) same += 1;
      expect([...mine].sort(), context).toEqual([...theirs].sort());
    }
    expect(list.length).toBeGreaterThan(20);
    expect(same / list.length).toBeGreaterThanOrEqual(0.95);
  });

  it.each(['graph', 'auto'] as const)(
    'takes at most five round trips in mode %s, links and rules included',
    async (mode) => {
      const { graph } = neo4j.service;
      if (!(graph instanceof Neo4jGraph)) throw new Error('The service does not run on Neo4j.');
      for (const context of questions().slice(0, 10)) {
        for (const domains of [['sample'], []]) {
          const before = graph.connection.roundTrips;
          const answer = await neo4j.post('/v1/query', { context, domains, mode, top_k: 10 });
          expect(answer.status).toBe(200);
          expect(graph.connection.roundTrips - before).toBeLessThanOrEqual(5);
        }
      }
    },
  );
});
