import { afterAll, beforeAll, describe } from '@jest/globals';
import type { PprMode } from '../../src/backends/graph/neo4j/pagerank/pagerank.js';
import { Neo4jBackend } from '../../src/backends/graph/neo4j.js';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { type GraphFixture, templates, type With } from '../contracts/graph/fixture.js';
import { pagerankContract } from '../contracts/graph/pagerank.js';
import { graphContract } from '../contracts/graph.contract.js';
import { neo4jConnection, wipe } from './neo4j.js';

const connection = neo4jConnection();
beforeAll(() => connection.connect());
afterAll(() => connection.disconnect());

/** An empty graph; others on the same data where they are requested. */
async function open(ppr: PprMode): Promise<GraphFixture> {
  await wipe(connection);
  const store = await openSqlite(':memory:');
  const opened: Neo4jBackend[] = [];
  const another = async (): Promise<Neo4jBackend> => {
    const graph = new Neo4jBackend({ connection, store, templates, ppr });
    await graph.connect();
    opened.push(graph);
    return graph;
  };
  const close = async (): Promise<void> => {
    for (const one of opened) await one.disconnect();
    await store.close();
  };
  return { graph: await another(), replica: another, close };
}

describe('Neo4j graph', () => {
  graphContract({ worlds: 4, open: () => open('local') });
});

describe('Neo4j graph with PageRank by GDS', () => {
  const withGraph: With = (test) => async () => {
    const fixture = await open('gds');
    try {
      await test(fixture);
    } finally {
      await fixture.close();
    }
  };
  pagerankContract(withGraph);
});
