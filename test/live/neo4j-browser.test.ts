import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Neo4jGraph } from '../../src/backends/graph/neo4j.js';
import { DOCUMENTS, openService, type TestService } from '../service/harness.js';
import { neo4jConnection, neo4jOptions, wipe } from './neo4j.js';

const page = readFileSync('docs/recipes/neo4j-browser.md', 'utf8');
const style = readFileSync('docs/recipes/neo4j-browser.grass', 'utf8');
const queries = [...page.matchAll(/\n([^\n]+):\n\n```cypher\n([\s\S]*?)```/g)].map(
  ([, title = '', cypher = '']) => [title, cypher] as const,
);
const DOMAIN = 'handbook';

let test: TestService;
let graph: Neo4jGraph;

/** A small world with everything that the page speaks of. */
beforeAll(async () => {
  const connection = neo4jConnection();
  await connection.connect();
  await wipe(connection);
  await connection.disconnect();
  const { uri, password } = neo4jOptions();
  test = await openService({
    SVC_GRAPH: 'neo4j',
    SVC_NEO4J_URI: uri,
    ...(password === undefined ? {} : { SVC_NEO4J_PASSWORD: password }),
  });
  for (const [name, text] of Object.entries(DOCUMENTS)) {
    await test.post('/v1/ingest/text', { text, domain: DOMAIN, format: 'markdown', name });
  }
  await test.post('/v1/ingest/structured', {
    domain: DOMAIN,
    source_id: 'lights',
    concepts: [
      { name: 'Lamp', description: 'burns oil' },
      { name: 'Lens', description: 'bends light' },
    ],
    edges: [
      { source: 'Lamp', target: 'Lens', relation: 'requires' },
      { source: 'Lamp', target: 'Oil', relation: 'uses' },
      { source: 'Lens', target: 'Oil', relation: 'supports' },
    ],
    rules: [{ text: 'Always trim the Lamp.' }],
  });
  await test.post('/v1/ingest/structured', {
    domain: DOMAIN,
    source_id: 'later',
    concepts: [{ name: 'Lamp', description: 'burns gas' }],
  });
  graph = test.service.graph as Neo4jGraph;
});
afterAll(() => test.close());

const rows = (title: RegExp) => {
  const found = queries.find(([name]) => title.test(name));
  if (found === undefined) throw new Error(`The page has no query ${title}.`);
  return graph.query(found[1], { domain: DOMAIN });
};

describe('the Browser page', () => {
  it('has five queries, and each answers something', async () => {
    expect(queries).toHaveLength(5);
    for (const [title, cypher] of queries) {
      expect([title, (await graph.query(cypher, { domain: DOMAIN })).length > 0]).toEqual([title, true]);
      expect(await graph.query(cypher, { domain: 'nowhere' })).toEqual([]);
    }
  });

  it('shows which assertion is seen first', async () => {
    const found = await rows(/Where a fact comes from/);
    const lamp = found.find((row) => row.concept === 'Lamp') as { asserted_by: Array<{ says: string }> } | undefined;
    expect(lamp?.asserted_by.map((one) => one.says)).toEqual(['burns gas', 'burns oil']);
    expect((await test.service.graph.findNodes({ domain: DOMAIN, pattern: 'Lamp', kind: 'concept' }))[0]).toMatchObject(
      {
        description: 'burns gas',
      },
    );
  });

  it('shows what edges wait for, and which rules touch what', async () => {
    expect((await rows(/What is missing/))[0]).toMatchObject({ wanted: 'Oil', edges: 2 });
    const touched = (await rows(/Rules with the concepts/)).filter((row) => row.rule === 'Always trim the Lamp.');
    expect(touched).toMatchObject([{ source: expect.any(String), touches: ['Lamp'] }]);
  });

  it('has a style whose captions are properties that the nodes have', async () => {
    for (const [, label, property] of style.matchAll(/^node\.(\w+) \{.*caption: "\{(\w+)\}";/gm)) {
      const [count] = await graph.query<{ all: number; named: number }>(
        `MATCH (n:${label}) RETURN count(n) AS all, count(n[$property]) AS named`,
        { property },
      );
      expect([label, count?.named]).toEqual([label, count?.all]);
      expect([label, (count?.all ?? 0) > 0]).toEqual([label, true]);
    }
    const labels = await graph.query<{ label: string }>('MATCH (n) UNWIND labels(n) AS label RETURN DISTINCT label');
    const styled = new Set([...style.matchAll(/^node\.(\w+) /gm)].map(([, label]) => label));
    for (const { label } of labels) {
      expect(styled.has(label) || ['Graph', 'Node', 'Waiting'].includes(label) ? 'styled' : label).toBe('styled');
    }
  });
});
