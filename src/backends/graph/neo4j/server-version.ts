import { SvcError } from '../../../core/errors.js';
import type { Neo4jConnection } from '../../neo4j-connection.js';

/** The first version whose subqueries name what they take over. */
const LEAST = [5, 23] as const;

/** Throws `unavailable` for a server that does not understand our statements. */
export async function checkServer(connection: Neo4jConnection): Promise<void> {
  const rows = await connection.read<{ name: string; versions: string[] }>(
    'CALL dbms.components() YIELD name, versions RETURN name, versions',
  );
  const version = rows.find((row) => row.name === 'Neo4j Kernel')?.versions[0] ?? '';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1])) return;
  throw new SvcError('unavailable', `Neo4j ${version} is too old; SVC_GRAPH=neo4j needs 5.23 or later.`);
}
