import type { Neo4jConnection } from '../neo4j-connection.js';

/**
 * Makes what is missing of named constraints and indexes (`CREATE … name IF NOT EXISTS …`) and waits until they are ready;
 * two replicas may do so at once.
 */
export async function makeSchema(connection: Neo4jConnection, statements: readonly string[]): Promise<void> {
  const rows = await connection.schema('SHOW INDEXES YIELD name, state WHERE state = "ONLINE" RETURN name');
  const there = new Set(rows.map((row) => row.name));
  const missing = statements.filter((statement) => !there.has(nameOf(statement)));
  for (const statement of missing) await makeOnce(connection, statement);
  if (missing.length > 0) await connection.schema('CALL db.awaitIndexes(300)');
}

function nameOf(statement: string): string | undefined {
  return /^CREATE (?:FULLTEXT )?(?:CONSTRAINT|INDEX) (\S+) IF NOT EXISTS/.exec(statement)?.[1];
}

async function makeOnce(connection: Neo4jConnection, statement: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await connection.schema(statement);
      return;
    } catch (error) {
      // Another replica makes the same one at this moment.
      if (attempt >= 5) throw error;
      await new Promise((done) => setTimeout(done, 100 * attempt));
    }
  }
}
