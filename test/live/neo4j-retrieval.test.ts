import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Neo4jBackend } from '../../src/backends/graph/neo4j.js';
import { openService, type TestService } from '../service/harness.js';
import { neo4jEnvironment } from './neo4j.js';

const SAMPLES = ['encyclopedia.md', 'handbook.md'];
const samples = JSON.parse(readFileSync('samples/questions.json', 'utf8')) as {
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
  visit(samples);
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
      for (const name of SAMPLES) await ingest(test, name, readFileSync(`samples/${name}`, 'utf8'));
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
      const body = { context, domains: ['sample'], mode: 'graph', top_k: 10 };
      const items = async (test: TestService): Promise<Item[]> => (await test.post('/v1/query', body)).body.items;
      const [mine, theirs] = [await items(neo4j), await items(embedded)];
      const [best, bestOfOther] = [mine, theirs].map((all) => all.slice(0, 5).map(({ id }) => id));
      if (JSON.stringify(best) === JSON.stringify(bestOfOther)) same += 1;
      expect({ context, ids: besideTies(mine, theirs) }).toEqual({ context, ids: besideTies(theirs, mine) });
    }
    expect(list.length).toBeGreaterThan(20);
    expect(same / list.length).toBeGreaterThanOrEqual(0.95);
  });
});

interface Item {
  readonly id: string;
  readonly score: number;
}

/** How far scores may lie apart, as a share: engines compute PageRank to some digits each, and what nearly ties for the fifth place may take it on one of them. */
const TIE = 0.05;

/** Returns the best five of `all` in the order of their ids, without those that tie with the fifth place on both engines. */
function besideTies(all: readonly Item[], others: readonly Item[]): string[] {
  const ties = (list: readonly Item[], id: string): boolean => {
    const [score, fifth] = [list.find((item) => item.id === id)?.score ?? 0, list[4]?.score ?? 0];
    return Math.abs(score - fifth) <= TIE * fifth;
  };
  const best = all.slice(0, 5).map(({ id }) => id);
  return best.filter((id) => !(ties(all, id) && ties(others, id))).sort();
}

describe.each(['auto', 'gds', 'local'] as const)('a query on Neo4j with SVC_PPR=%s', (ppr) => {
  let neo4j: TestService;
  beforeAll(async () => {
    neo4j = await openService({ ...(await neo4jEnvironment()), SVC_INTEROCEPTION: 'off', SVC_PPR: ppr });
    for (const name of SAMPLES) await ingest(neo4j, name, readFileSync(`samples/${name}`, 'utf8'));
  });
  afterAll(() => neo4j?.close());

  it('takes at most four round trips, fresh and right after a write', async () => {
    expect(neo4j.service.graph.ppr).toBe(ppr === 'auto' ? 'local' : ppr);
    let edition = 0;
    for (const mode of ['graph', 'auto'] as const) {
      await countTrips(neo4j, mode);
      await countTrips(neo4j, mode, async (n) => {
        edition += 1;
        const text = `# Fresh ${n}\n\nAn encyclopedia of Fresh ${n} is new in edition ${edition}.\n`;
        await ingest(neo4j, `new ${mode} ${n}`, text);
      });
    }
  });
});

async function ingest(test: TestService, name: string, text: string): Promise<void> {
  const answer = await test.post('/v1/ingest/text', { text, domain: 'sample', format: 'markdown', name });
  expect(answer.status).toBe(200);
}

/** Asks ten questions, in their domain and in all; or four, each after `before`, and about what it wrote too. */
async function countTrips(
  test: TestService,
  mode: 'graph' | 'auto',
  before?: (n: number) => Promise<void>,
): Promise<void> {
  const { graph, followers } = test.service;
  if (!(graph instanceof Neo4jBackend)) throw new Error('The service does not run on Neo4j.');
  for (const [n, question] of questions()
    .slice(0, before === undefined ? 10 : 4)
    .entries()) {
    for (const domains of [['sample'], []]) {
      const context = before === undefined ? question : `${question} What is Fresh ${n}?`;
      let tooMany = 1;
      // A periodic job that reads Neo4j beside the question is counted with it: then it is asked again, after another write.
      for (let tries = 0; tooMany > 0 && tries < 3; tries += 1) {
        await before?.(n);
        // What follows in the background reads the cursor: it would be counted too.
        await followers.stop();
        const trips = graph.connection.roundTrips;
        const answer = await test.post('/v1/query', { context, domains, mode, top_k: 10 });
        expect(answer.status).toBe(200);
        tooMany = Math.max(0, graph.connection.roundTrips - trips - 4);
        followers.start();
      }
      expect({ context, tooMany }).toEqual({ context, tooMany: 0 });
    }
  }
}
