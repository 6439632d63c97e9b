import { Neo4jConnection } from '../../src/backends/neo4j-connection.js';

/** The server that scripts/live/run.js started. */
export function neo4jOptions() {
  const { NEO4J_URI: uri, NEO4J_PASSWORD: password } = process.env;
  if (uri === undefined) throw new Error('NEO4J_URI is not set: run the live tests with npm run test:live.');
  return { uri, ...(password === undefined ? {} : { password }) };
}

export function neo4jConnection(): Neo4jConnection {
  return new Neo4jConnection(neo4jOptions());
}

/** Removes all there is; the schema stays. */
export async function wipe(connection: Neo4jConnection): Promise<void> {
  await connection.schema('MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 10000 ROWS');
}

/** For `SVC_GRAPH=neo4j` on an empty graph. */
export async function neo4jEnvironment(): Promise<Record<string, string>> {
  const { uri, password } = neo4jOptions() as { uri: string; password?: string };
  const connection = neo4jConnection();
  await connection.connect();
  await wipe(connection);
  await connection.disconnect();
  return {
    SVC_GRAPH: 'neo4j',
    SVC_NEO4J_URI: uri,
    ...(password === undefined ? {} : { SVC_NEO4J_PASSWORD: password }),
  };
}
