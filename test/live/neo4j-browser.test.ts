import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Neo4jBackend } from '../../src/backends/graph/neo4j.js';
import { DOCUMENTS, openService, type TestService } from '../service/harness.js';
import { neo4jConnection, neo4jOptions, wipe } from './neo4j.js';

const page = readFileSync('docs/recipes/neo4j-browser.md', 'utf8');
const style = readFileSync('docs/recipes/neo4j-browser.grass', 'utf8');
const queries = [...page.matchAll(/\n([^\n]+):\n\n```cypher\n([\s\S]*?)```/g)].map(
  ([, title = '', cypher = '']) => [title, cypher] as const,
);
const DOMAIN = 'handbook';

let test: TestService;
let graph: Neo4jBackend;

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
  graph = test.service.graph as Neo4jBackend;
});
afterAll(() => test.close());

const ask = (cypher: string, parameters: Record<string, string>) => graph.query(cypher, { parameters });

const rows = (title: RegExp) => {
  const found = queries.find(([name]) => title.test(name));
  if (found === undefined) throw new Error(`The page has no query ${title}.`);
  return ask(found[1], { domain: DOMAIN });
};

describe('the Browser page', () => {
  it('has five queries, and each answers something', async () => {
    expect(queries).toHaveLength(5);
    for (const [title, cypher] of queries) {
      expect([title, (await ask(cypher, { domain: DOMAIN })).length > 0]).toEqual([title, true]);
      expect(await ask(cypher, { domain: 'nowhere' })).toEqual([]);
    }
  });

  it('shows what is visible of a concept, and every source that says it', async () => {
    const found = await rows(/Where a fact comes from/);
    const lamp = found.find((row) => row.concept === 'Lamp');
    expect(lamp).toMatchObject({ says: 'burns gas', sources: expect.arrayContaining(['later', 'lights']) });
    expect((await test.service.graph.findNodes({ domain: DOMAIN, pattern: 'Lamp', kind: 'concept' }))[0]).toMatchObject(
      {
        description: 'burns gas',
      },
    );
  });

  it('shows what a source says, and which rules touch what', async () => {
    const lights = (await rows(/What each source says/)).find((row) => row.source === 'lights');
    expect(lights).toMatchObject({ concepts: expect.arrayContaining(['Lamp', 'Lens']) });
    const touched = (await rows(/Rules with the concepts/)).filter((row) => row.rule === 'Always trim the Lamp.');
    expect(touched).toMatchObject([{ sources: ['lights'], touches: ['Lamp'] }]);
  });

  it('has a style whose captions are properties that the nodes have', async () => {
    const captions = [...style.matchAll(/^node\.(\w+) \{.*caption: "\{(\w+)\}";/gm)];
    expect(captions.length).toBeGreaterThan(0);
    for (const [, label, property] of captions) {
      const cypher = `MATCH (n:${label}) RETURN count(n) AS all, count(n[$property]) AS named`;
      const [count] = (await ask(cypher, { property: property! })) as Array<{ all: number; named: number }>;
      expect([label, count?.named]).toEqual([label, count?.all]);
      expect([label, (count?.all ?? 0) > 0]).toEqual([label, true]);
    }
    const labels = await graph.query('MATCH (n) UNWIND labels(n) AS label RETURN DISTINCT label');
    expect(labels.length).toBeGreaterThan(0);
    const styled = new Set([...style.matchAll(/^node\.(\w+) /gm)].map(([, label]) => label));
    for (const { label } of labels) {
      expect(styled.has(String(label)) || ['Cursor', 'Node'].includes(String(label)) ? 'styled' : label).toBe('styled');
    }
  });
});
