import { afterAll, beforeAll, describe } from 'vitest';
import { Neo4jGraph } from '../../src/backends/graph/neo4j.js';
import { templates } from '../contracts/graph/fixture.js';
import { graphContract } from '../contracts/graph.contract.js';
import { neo4jConnection, wipe } from './neo4j.js';

for (const ppr of ['gds', 'local'] as const) {
  describe(`Neo4j graph, PageRank by ${ppr}`, () => {
    const connection = neo4jConnection();
    beforeAll(() => connection.connect());
    afterAll(() => connection.disconnect());

    graphContract({
      worlds: 4,
      open: async () => {
        await wipe(connection);
        const graph = new Neo4jGraph(connection, { templates, ppr });
        await graph.connect();
        const others: Neo4jGraph[] = [];
        return {
          graph,
          replica: async () => {
            const other = new Neo4jGraph(connection, { templates, ppr });
            await other.connect();
            others.push(other);
            return other;
          },
          close: async () => {
            for (const one of [graph, ...others]) await one.disconnect();
          },
        };
      },
    });
  });
}
