import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from '@jest/globals';
import { Neo4jBackend } from '../../src/backends/graph/neo4j.js';

it('says after seconds that nothing listens at the port of Neo4j', async () => {
  // The port was free a moment ago, and nobody listens there.
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const graph = new Neo4jBackend('127.0.0.1', port, 'neo4j', 'password');
  await expect(graph.connect()).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining(`Neo4j at 127.0.0.1:${port} did not answer within 3 s; start it`),
  });
}, 30_000);
