import { makeSchema } from '../../../neo4j-connection/make-schema.js';
import type { Neo4jConnection } from '../../../neo4j-connection.js';

/**
 * Labels: `Domain`; `Node` with `Concept`, `Passage` or `Entity`; `Key` (a name in the form of `nameKey`); `Rule`; `Cursor`
 * (how far an engine followed the ledger). Relationships: typed edges between two `Node`s under their own type;
 * `(:Passage)-[:MENTIONS]->(:Key)`, `(:Node)-[:ABOUT|ALIAS]->(:Key)`, `(:Key)-[:STANDS_FOR]->(:Node)`,
 * `(:Rule)-[:TOUCHES]->(:Node)`, `(:Passage)-[:IN_DOMAIN]->(:Domain)`. `ref` is the ledger's number of each; statements
 * look nodes up under `Node`, which alone has an index for `ref`.
 */
const STATEMENTS = [
  'CREATE CONSTRAINT svc_cursor IF NOT EXISTS FOR (c:Cursor) REQUIRE c.engine IS UNIQUE',
  'CREATE CONSTRAINT svc_domain_ref IF NOT EXISTS FOR (d:Domain) REQUIRE d.ref IS UNIQUE',
  'CREATE CONSTRAINT svc_node_ref IF NOT EXISTS FOR (n:Node) REQUIRE n.ref IS UNIQUE',
  'CREATE CONSTRAINT svc_key_ref IF NOT EXISTS FOR (k:Key) REQUIRE k.ref IS UNIQUE',
  'CREATE CONSTRAINT svc_rule_name IF NOT EXISTS FOR (r:Rule) REQUIRE (r.domain_ref, r.id) IS UNIQUE',
  'CREATE INDEX svc_node_id IF NOT EXISTS FOR (n:Node) ON (n.id)',
  'CREATE INDEX svc_rule_ref IF NOT EXISTS FOR (r:Rule) ON (r.ref)',
];

/** Makes constraints and indexes that are missing; two replicas may do so at once. */
export function ensureSchema(connection: Neo4jConnection): Promise<void> {
  return makeSchema(connection, STATEMENTS);
}
