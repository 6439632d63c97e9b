import { MAX_ABOUT } from '../../../../ledger/key-limits.js';
import { LINK_WEIGHT } from '../../weights.js';
import { IS_ABOUT } from '../query/expand.js';

/** All weights of a projection are those of `weights.ts`, written out for the server. */
const ARCS = `CALL () {
    MATCH (k:Key)-[:STANDS_FOR]->(h:Node) WHERE k.document_frequency >= 2
    MATCH (d:Domain {ref: k.domain_ref})
    WITH k, h, COUNT { (d)<-[:IN_DOMAIN]-() } AS passages
    WITH k, h, log(1.0 + toFloat(passages) / k.document_frequency) / log(1.0 + passages) AS rarity
    CALL (k) {
      MATCH (p:Passage)-[m:MENTIONS]->(k)
      RETURN p, (1.0 + log(m.times)) * CASE WHEN EXISTS { MATCH (p)-[a:ABOUT|ALIAS]->(k) WHERE ${IS_ABOUT} }
        THEN 2.0 ELSE 1.0 END AS times
      UNION ALL
      MATCH (p:Passage)-[a:ABOUT|ALIAS]->(k) WHERE ${IS_ABOUT} AND NOT EXISTS { (p)-[:MENTIONS]->(k) }
      RETURN p, 2.0 AS times
    }
    WITH h, p, rarity * times AS weight WHERE h <> p AND weight > 0
    RETURN h AS a, p AS b, weight
    UNION ALL
    MATCH (p:Passage)-[:MENTIONS]->(k:Key) WHERE k.targets <= ${MAX_ABOUT}
    MATCH (x:Node)-[a:ABOUT|ALIAS]->(k) WHERE ${IS_ABOUT} AND x <> p
    RETURN p AS a, x AS b, ${LINK_WEIGHT}.0 / k.targets AS weight
    UNION ALL
    MATCH (a:Node)-[r]->(b:Node) WHERE a <> b
    WITH a, b, r.confidence * coalesce($factors[toString(r.ref)], 1.0) AS weight WHERE weight > 0
    RETURN a, b, weight
    UNION ALL
    MATCH (n:Node) RETURN n AS a, null AS b, 0.0 AS weight
  }`;

/** A node brings the ledger's number: Neo4j gives the internal id of a deleted node to a new one. */
const PROJECT = `${ARCS}
  RETURN gds.graph.project($name, a, b,
    {sourceNodeProperties: {ref: a.ref},
     targetNodeProperties: CASE WHEN b IS NULL THEN null ELSE {ref: b.ref} END,
     relationshipProperties: CASE WHEN b IS NULL THEN null ELSE {weight: weight} END},
    {undirectedRelationshipTypes: ['*']}) AS graph`;

/** Makes the projection unless it is there, then drops those that no replica needs any more. */
export const ENSURE = `CALL gds.graph.exists($name) YIELD exists AS there
  CALL (there) {
    WITH there WHERE NOT there
    ${PROJECT}
  }
  WITH count(graph) AS made
  CALL () {
    CALL gds.graph.list() YIELD graphName, database
    WITH graphName, database WHERE graphName STARTS WITH 'svc-' AND database = $database AND graphName <> $name
      AND (toInteger(split(graphName, '-')[1]) < $version - 1 OR NOT graphName ENDS WITH $ledger)
    CALL gds.graph.drop(graphName, false) YIELD graphName AS removed
    RETURN count(removed) AS dropped
  }
  RETURN made`;

/** PageRank on a projection: runs for groups of seeds of one weight, added up. */
export const RANK = `UNWIND $p.groups AS seeds MATCH (n:Node) WHERE n.ref IN seeds.refs
  WITH seeds, collect(n) AS nodes
  CALL gds.pageRank.stream($p.name, {sourceNodes: nodes, dampingFactor: $p.damping, maxIterations: $p.iterations,
    tolerance: $p.tolerance, relationshipWeightProperty: 'weight'}) YIELD nodeId, score
  WITH nodeId, sum(score * seeds.weight) AS score WHERE score > 0
  ORDER BY score DESC LIMIT $p.limit
  WITH toInteger(gds.util.nodeProperty($p.name, nodeId, 'ref')) AS ref, score
  MATCH (n:Node {ref: ref})
  RETURN [ref, score, n.hash] AS row`;

/** The engine's cursor, whether its projection is there, and how much a projection would hold. */
export const MOMENT = `MATCH (c:Cursor {engine: $p.engine})
  CALL () { MATCH (n:Node) RETURN count(n) AS nodes }
  CALL () { MATCH ()-[r]->() RETURN count(r) AS relationships }
  RETURN {version: c.version, ledger: c.ledger, whole: c.sync_kind IS NULL, elements: nodes + relationships,
    there: gds.graph.exists('svc-' + toString(c.version) + '-f0-' + c.ledger)} AS row`;
