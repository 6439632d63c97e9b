import { MAX_ABOUT } from '../../../../ledger/key-limits.js';
import { LINK_WEIGHT } from '../../weights.js';

/** All weights of a projection are those of `weights.ts`, written out for the server. */
const ARCS = `CALL () {
    MATCH (k:Key)-[:STANDS_FOR]->(h:Node) WHERE k.kdf >= 2
    MATCH (d:Domain {name: k.domain})
    WITH k, h, log(1.0 + toFloat(d.passages) / k.kdf) / log(1.0 + d.passages) AS rarity
    CALL (k) {
      MATCH (p:Passage)-[m:MENTIONS]->(k)
      RETURN p, (1.0 + log(m.tf)) * CASE WHEN EXISTS { (p)-[a:ABOUT]->(k) WHERE k.targets > 0
        AND a.alias = (k.titles = 0) } THEN 2.0 ELSE 1.0 END AS times
      UNION ALL
      MATCH (p:Passage)-[a:ABOUT]->(k) WHERE k.targets > 0 AND a.alias = (k.titles = 0)
        AND NOT EXISTS { (p)-[:MENTIONS]->(k) }
      RETURN p, 2.0 AS times
    }
    WITH h, p, rarity * times AS weight WHERE h <> p AND weight > 0
    RETURN h AS a, p AS b, weight
    UNION ALL
    MATCH (p:Passage)-[:MENTIONS]->(k:Key) WHERE k.targets > 0 AND k.targets <= ${MAX_ABOUT}
    MATCH (x:Node)-[r:ABOUT]->(k) WHERE r.alias = (k.titles = 0) AND x <> p
    RETURN p AS a, x AS b, ${LINK_WEIGHT}.0 / k.targets AS weight
    UNION ALL
    MATCH (a:Node)-[r]->(b:Node) WHERE r.id IS NOT NULL AND a <> b
    WITH a, b, r.confidence * coalesce($factors[r.id], 1.0) AS weight WHERE weight > 0
    RETURN a, b, weight
    UNION ALL
    MATCH (n:Node) RETURN n AS a, null AS b, 0.0 AS weight
  }`;

/** Beside its arcs a node brings its hash: Neo4j gives the internal id of a deleted node to a new one. */
const PROJECT = `${ARCS}
  RETURN gds.graph.project($name, a, b,
    {sourceNodeProperties: {hash: coalesce(a.hash, 0)},
     targetNodeProperties: CASE WHEN b IS NULL THEN null ELSE {hash: coalesce(b.hash, 0)} END,
     relationshipProperties: CASE WHEN b IS NULL THEN null ELSE {weight: weight} END},
    {undirectedRelationshipTypes: ['*']}) AS graph`;

/** Runs for groups of `nodes` of one weight (`seeds`), added up. What was deleted since, or replaced, is left out. */
const RANK = `CALL gds.pageRank.stream($name, {sourceNodes: nodes, dampingFactor: $damping, maxIterations: $iterations,
    tolerance: $tolerance, relationshipWeightProperty: 'weight'}) YIELD nodeId, score
  WITH nodeId, sum(score * seeds.weight) AS score WHERE score > 0
  ORDER BY score DESC LIMIT $limit
  WITH gds.util.asNode(nodeId) AS n, gds.util.nodeProperty($name, nodeId, 'hash') AS hash, score
  WHERE n.id IS NOT NULL AND coalesce(n.hash, 0) = hash`;

/** On a projection of the graph's version: every seed that exists is in it. */
export const STREAM = `UNWIND $groups AS seeds MATCH (n:Node) WHERE n.id IN seeds.ids
  WITH seeds, collect(n) AS nodes
  ${RANK}
  RETURN n.id AS id, score`;

/**
 * On a projection of an earlier version, if it is still there and holds every seed; else nothing. GDS fails for a seed that
 * it does not know, and says of no node whether it does: the seeds are looked for among all of the projection.
 */
export const STREAM_STALE = `WITH gds.graph.exists($name) AS there WHERE there
  MATCH (n:Node) WHERE n.id IN $ids
  WITH count(n) AS living
  CALL gds.graph.nodeProperty.stream($name, 'hash') YIELD nodeId, propertyValue
  WITH living, nodeId, propertyValue WHERE propertyValue IN $hashes
  WITH living, gds.util.asNode(nodeId) AS n, propertyValue
  WITH living, n WHERE n.id IN $ids AND coalesce(n.hash, 0) = propertyValue
  WITH living, collect(n) AS known
  WITH known WHERE size(known) = living
  UNWIND $groups AS seeds
  WITH seeds, [n IN known WHERE n.id IN seeds.ids] AS nodes WHERE size(nodes) > 0
  ${RANK}
  RETURN n.id AS id, score`;

/** Makes the projection unless it is there, then drops those that no replica needs any more. */
const ENSURE = `CALL gds.graph.exists($name) YIELD exists AS there
  CALL (there) {
    WITH there WHERE NOT there
    ${PROJECT}
  }
  WITH count(graph) AS made
  CALL () {
    CALL gds.graph.list() YIELD graphName, database
    WITH graphName, database WHERE graphName STARTS WITH 'svc-' AND database = $database AND graphName <> $name
      AND (toInteger(split(graphName, '-')[1]) < $version - 1 OR NOT graphName ENDS WITH $identity)
    CALL gds.graph.drop(graphName, false) YIELD graphName AS gone
    RETURN count(gone) AS dropped
  }`;

export const PROJECTED = `${ENSURE} RETURN made`;

/** Both in one round trip: for graphs that are renewed within a request. */
export const PROJECTED_AND_STREAMED = `${ENSURE}
  CALL () { ${STREAM.replace('RETURN n.id AS id, score', 'RETURN collect({id: n.id, score: score}) AS rows')} }
  RETURN made, rows`;

/** The graph's version, whether its projection is there, and how much a projection of it holds. */
export const MOMENT = `MATCH (g:Graph {name: 'graph'}) OPTIONAL MATCH (d:Domain)
  WITH g, coalesce(sum(d.concepts + d.edges + d.passages), 0) AS elements
  RETURN {version: g.version, identity: g.identity, elements: elements,
    there: gds.graph.exists('svc-' + toString(g.version) + '-h0-' + g.identity)} AS row`;
