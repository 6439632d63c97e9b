import { makeSchema } from '../../neo4j-connection/make-schema.js';
import type { Neo4jConnection } from '../../neo4j-connection.js';

/**
 * Labels: `Graph` (one: version, lock), `Domain` (`Going` while a large one is removed), `Source`, `Node` with
 * `Concept`, `Passage` or `Entity`, `Key` (a name in the form of `nameKey`), `Rule`, `Word` (what decides which
 * concepts a rule touches), `Assertion` (of an edge; `Waiting` while an end does not exist). Ids are looked up under
 * `Node`, which alone has an index for them: a statement that names `Passage {id: …}` reads every passage. Typed edges
 * are relationships between `Node`s; they alone have an `id`.
 */
const STATEMENTS = [
  'CREATE CONSTRAINT svc_graph IF NOT EXISTS FOR (g:Graph) REQUIRE g.name IS UNIQUE',
  'CREATE CONSTRAINT svc_domain IF NOT EXISTS FOR (d:Domain) REQUIRE d.name IS UNIQUE',
  'CREATE CONSTRAINT svc_source IF NOT EXISTS FOR (s:Source) REQUIRE s.id IS UNIQUE',
  'CREATE CONSTRAINT svc_node IF NOT EXISTS FOR (n:Node) REQUIRE n.id IS UNIQUE',
  'CREATE CONSTRAINT svc_key IF NOT EXISTS FOR (k:Key) REQUIRE (k.domain, k.key) IS UNIQUE',
  'CREATE CONSTRAINT svc_rule IF NOT EXISTS FOR (r:Rule) REQUIRE (r.domain, r.id) IS UNIQUE',
  'CREATE CONSTRAINT svc_word IF NOT EXISTS FOR (w:Word) REQUIRE (w.domain, w.word) IS UNIQUE',
  'CREATE CONSTRAINT svc_staged IF NOT EXISTS FOR (n:Staged) REQUIRE n.id IS UNIQUE',
  'CREATE CONSTRAINT svc_staged_source IF NOT EXISTS FOR (s:StagedSource) REQUIRE s.id IS UNIQUE',
  'CREATE INDEX svc_node_domain IF NOT EXISTS FOR (n:Node) ON (n.domain)',
  'CREATE INDEX svc_node_short IF NOT EXISTS FOR (n:Node) ON (n.domain, n.short)',
  'CREATE INDEX svc_concept_key IF NOT EXISTS FOR (c:Concept) ON (c.domain, c.key)',
  'CREATE INDEX svc_source_domain IF NOT EXISTS FOR (s:Source) ON (s.domain)',
  'CREATE INDEX svc_assertion_edge IF NOT EXISTS FOR (a:Assertion) ON (a.edge_id)',
  'CREATE INDEX svc_assertion_source IF NOT EXISTS FOR (a:Assertion) ON (a.source_id)',
  'CREATE INDEX svc_waiting_from IF NOT EXISTS FOR (a:Waiting) ON (a.domain, a.from_norm)',
  'CREATE INDEX svc_waiting_to IF NOT EXISTS FOR (a:Waiting) ON (a.domain, a.to_norm)',
];

/** Makes constraints and indexes that are missing; two replicas may do so at once. */
export async function ensureSchema(connection: Neo4jConnection): Promise<void> {
  await makeSchema(connection, STATEMENTS);
  // The identity tells this graph from one that was in the database before.
  await connection.schema(
    "MERGE (g:Graph {name: 'graph'}) ON CREATE SET g.version = 0, g.writes = [], g.identity = randomUUID()",
  );
}
