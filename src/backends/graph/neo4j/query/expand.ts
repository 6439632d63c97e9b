import { MAX_ABOUT } from '../../../../ledger/key-limits.js';
import { int } from '../../../neo4j-connection.js';
import type { EdgeArc, Hop, HopOptions } from '../../engine.js';
import { SHARED_MAX, SHARED_MIN } from '../../weights.js';
import { ints } from '../follow/rows.js';
import type { Reader } from './reader.js';

/** A key that a node mentions or is about. */
interface TouchedKey {
  readonly ref: number;
  readonly node: number;
  readonly document_frequency: number;
  /** How many nodes are about it now; `about` lists them where they are few enough for links. */
  readonly targets: number;
  readonly about: ReadonlyArray<readonly [ref: number, hash: number]>;
  readonly mentioned: boolean;
  /** The node is among those about it. */
  readonly titled: boolean;
  /** Passages that mention it or are about it, where they are few. */
  readonly shared: readonly number[] | null;
}

interface Around {
  readonly ref: number;
  readonly passage: boolean;
  readonly keys: readonly TouchedKey[];
  readonly into: readonly number[];
  readonly edges: ReadonlyArray<readonly [ref: number, other: number, weight: number, hash: number]>;
}

/** Edges read beyond the limit, so that all that equal the last one are among them. */
const EQUALS = 64;

/** Of an arc `a` to a key `k`: its node is about the key now. */
export const IS_ABOUT = "k.targets > 0 AND (type(a) = 'ABOUT') = (k.titles > 0)";
/** The same where few enough are for its mentions to make links. */
export const LINKING = `k.targets <= ${MAX_ABOUT} AND ${IS_ABOUT}`;

/** Adds the passages whose links lead to a node. */
const INTO = `CALL (n) {
    MATCH (n)-[a:ABOUT|ALIAS]->(k:Key) WHERE ${LINKING}
    MATCH (k)<-[:MENTIONS]-(p:Passage) WHERE p <> n
    WITH DISTINCT p ORDER BY p.hash, p.ref LIMIT $p.limit
    RETURN collect(p.ref) AS into
  }`;

const around = (
  incoming: boolean,
) => `UNWIND $p.refs AS ref MATCH (n:Node {ref: ref}) WHERE $p.domains IS NULL OR n.domain_ref IN $p.domains
  CALL (n) {
    MATCH (n)-[:MENTIONS|ABOUT|ALIAS]->(k:Key) WITH DISTINCT n, k
    RETURN collect({ref: k.ref, node: k.node, document_frequency: k.document_frequency, targets: k.targets,
      about: CASE WHEN k.targets <= ${MAX_ABOUT} THEN [(x:Node)-[a:ABOUT|ALIAS]->(k) WHERE ${IS_ABOUT} | [x.ref, x.hash]] ELSE [] END,
      mentioned: EXISTS { (n)-[:MENTIONS]->(k) },
      titled: EXISTS { MATCH (n)-[a:ABOUT|ALIAS]->(k) WHERE ${IS_ABOUT} },
      shared: CASE WHEN n:Passage AND k.document_frequency >= ${SHARED_MIN} AND k.document_frequency <= ${SHARED_MAX}
        THEN [(k)<-[:MENTIONS]-(p) | p.ref]
          + [(x:Passage)-[a:ABOUT|ALIAS]->(k) WHERE ${IS_ABOUT} | x.ref]
        END}) AS keys
  }
  ${incoming ? INTO : 'WITH n, keys, [] AS into'}
  CALL (n) {
    MATCH (n)-[r]-(o:Node)
    WITH DISTINCT r, o, r.confidence * coalesce($p.factors[toString(r.ref)], 1.0) AS weight
    ORDER BY weight DESC, o.hash, o.ref LIMIT $p.edges
    RETURN collect([r.ref, o.ref, weight, o.hash]) AS edges
  }
  RETURN {ref: n.ref, passage: n:Passage, keys: keys, into: into, edges: edges} AS row`;

/** Distinct passages that link to a node: for these nodes and for all that their mentions may link to. */
const INLINKS = `UNWIND $p.refs AS ref MATCH (n:Node {ref: ref}) WHERE $p.domains IS NULL OR n.domain_ref IN $p.domains
  CALL (n) {
    RETURN n AS x
    UNION
    MATCH (n:Passage)-[:MENTIONS]->(k:Key)<-[a:ABOUT|ALIAS]-(x) WHERE ${LINKING} RETURN x
  }
  WITH DISTINCT x
  CALL (x) {
    MATCH (x)-[a:ABOUT|ALIAS]->(k:Key) WHERE ${LINKING}
    RETURN collect(k) AS ks, sum(k.mentions) AS total,
      sum(CASE WHEN EXISTS { (x)-[:MENTIONS]->(k) } THEN 1 ELSE 0 END) AS own
  }
  CALL (x, ks) {
    WITH x, ks WHERE size(ks) > 1
    UNWIND ks AS k MATCH (k)<-[:MENTIONS]-(p) WHERE p <> x RETURN count(DISTINCT p) AS many
  }
  RETURN [x.ref, CASE WHEN size(ks) > 1 THEN many ELSE total - own END] AS row`;

/** Returns one hop around nodes, in one round trip; see the port. */
export async function expand(reader: Reader, refs: readonly number[], options: HopOptions): Promise<Hop> {
  const { domains, limit, factors, incoming } = options;
  const common = { refs: ints(new Set(refs)), domains: domains === null ? null : ints(domains) };
  const [nodes, counts] = await Promise.all([
    reader.ask<Around>(around(incoming), {
      ...common,
      limit: int(limit),
      edges: int(limit + EQUALS),
      factors: Object.fromEntries(factors),
    }),
    reader.ask<readonly [ref: number, inlinks: number]>(INLINKS, common),
  ]);
  nodes.sort((a, b) => a.ref - b.ref);
  const known = new Map(counts);
  const out = new Map<number, ReadonlySet<number>>();
  const into = new Map<number, ReadonlySet<number>>();
  const targets = new Map<number, readonly number[]>();
  const inlinks = new Map<number, number>();
  const entities: Array<Hop['entities'][number]> = [];
  const shared = new Map<number, readonly number[]>();
  const edges = new Map<number, readonly EdgeArc[]>();
  for (const node of nodes) {
    inlinks.set(node.ref, known.get(node.ref) ?? 0);
    into.set(node.ref, new Set(node.into));
    edges.set(node.ref, heaviest(node.edges, limit));
    for (const key of node.keys) {
      if (links(key) && (key.titled || node.passage)) targets.set(key.ref, refsOf(key));
    }
    if (!node.passage) continue;
    out.set(node.ref, outTargets(node, limit));
    for (const key of node.keys) {
      const { ref, node: stands, document_frequency: documentFrequency, titled } = key;
      if (!key.mentioned && !titled) continue;
      entities.push({ passage: node.ref, key: ref, node: stands, documentFrequency, title: titled });
      if (key.shared !== null) shared.set(stands, [...new Set(key.shared)]);
    }
  }
  for (const reached of out.values()) for (const ref of reached) inlinks.set(ref, known.get(ref) ?? 0);
  return { out, into, targets, inlinks, entities, shared, edges };
}

function links({ targets }: TouchedKey): boolean {
  return targets > 0 && targets <= MAX_ABOUT;
}

function refsOf({ about }: TouchedKey): number[] {
  return about.map(([ref]) => ref).sort((a, b) => a - b);
}

/** Returns the nodes that the passage links to: at most `limit`, those over the rarest keys first. */
function outTargets({ ref, keys }: Around, limit: number): Set<number> {
  const rarest = new Map<number, { readonly frequency: number; readonly hash: number }>();
  for (const key of keys) {
    if (!key.mentioned || !links(key)) continue;
    for (const [target, hash] of key.about) {
      if (target === ref) continue;
      const frequency = Math.min(rarest.get(target)?.frequency ?? key.document_frequency, key.document_frequency);
      rarest.set(target, { frequency, hash });
    }
  }
  if (rarest.size <= limit) return new Set(rarest.keys());
  const ordered = [...rarest].sort((a, b) => a[1].frequency - b[1].frequency || a[1].hash - b[1].hash || a[0] - b[0]);
  return new Set(ordered.slice(0, limit).map(([target]) => target));
}

/** Returns the heaviest arcs: at most `limit`, and all that equal the last of them. */
function heaviest(edges: Around['edges'], limit: number): EdgeArc[] {
  let length = Math.min(limit, edges.length);
  const equal = (a: Around['edges'][number], b: Around['edges'][number]): boolean => a[2] === b[2] && a[3] === b[3];
  while (length > 0 && length < edges.length && equal(edges[length - 1]!, edges[length]!)) length += 1;
  return edges.slice(0, length).map(([ref, other, weight]) => ({ ref, other, weight }));
}
