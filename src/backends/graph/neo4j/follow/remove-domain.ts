import type { EngineCursor } from '../../../../ledger/follower.js';
import { holdCursor } from '../../../neo4j-connection/cursor.js';
import { int, type Neo4jConnection } from '../../../neo4j-connection.js';

/** Relationships first: one node may have more of them than a transaction can remove with it. */
const STATEMENTS = [
  `MATCH (n:Node) WHERE n.id STARTS WITH $prefix AND n.domain_ref = $ref
   MATCH (n)-[r]->() CALL (r) { DELETE r } IN TRANSACTIONS OF 20000 ROWS`,
  'MATCH (k:Key {domain_ref: $ref}) CALL (k) { DETACH DELETE k } IN TRANSACTIONS OF 2000 ROWS',
  'MATCH (r:Rule {domain_ref: $ref}) CALL (r) { DETACH DELETE r } IN TRANSACTIONS OF 2000 ROWS',
  `MATCH (n:Node) WHERE n.id STARTS WITH $prefix AND n.domain_ref = $ref
   CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 2000 ROWS`,
  'MATCH (d:Domain {ref: $ref}) DETACH DELETE d',
];

/**
 * Removes all of a domain, in as many transactions as it takes. Doing it again is harmless. Returns false where the engine's cursor is
 * elsewhere: another ledger may have a domain of this number by now.
 */
export async function removeDomain(
  connection: Neo4jConnection,
  {
    ref,
    name,
    engine,
    from,
  }: { readonly ref: number; readonly name: string; readonly engine: string; readonly from: EngineCursor },
): Promise<boolean> {
  for (const statement of STATEMENTS) {
    const held = await connection.transact((tx) => holdCursor(tx, engine, from));
    if (held === null) return false;
    await connection.schema(statement, { ref: int(ref), prefix: `${name}:` });
  }
  return true;
}
