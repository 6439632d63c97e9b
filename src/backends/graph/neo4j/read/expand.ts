import type { Mention } from '../../../../core/model.js';
import { MAX_ABOUT } from '../../../../ledger/key-limits.js';
import { compare } from '../../../../ledger/manifest/asserted.js';
import { int } from '../../../neo4j-connection.js';
import type { EntityRef, Expansion, Link } from '../../port.js';
import { byPlace, bySample, heaviest } from '../../sample.js';
import { EDGE, type EdgeRow, edgeOf } from './read-edges.js';
import { ABOUT, LINKING } from './read-keys.js';
import type { Reader } from './reader.js';

/** A key that a passage mentions or is about. */
interface KeyRow {
  readonly key: string;
  readonly kdf: number;
  readonly node: string | null;
  /** How many nodes are about it; `about` lists them where they make links. */
  readonly targets: number;
  readonly about: readonly string[];
  /** The passage is among them. */
  readonly titled: boolean;
  /** Passages that hold it, where they are few. */
  readonly shared: readonly string[] | null;
}

interface Around {
  readonly id: string;
  readonly mentions: string | null;
  readonly keys: readonly KeyRow[];
  readonly into: ReadonlyArray<{
    readonly from: string;
    readonly via: ReadonlyArray<{ readonly key: string; readonly at: readonly number[]; readonly targets: number }>;
  }>;
  readonly edges: readonly EdgeRow[];
}

const SHARED_MIN = 2;
const SHARED_MAX = 15;

const AROUND = `UNWIND $p.ids AS id MATCH (n:Node {id: id}) WHERE $p.domains IS NULL OR n.domain IN $p.domains
  CALL (n) {
    MATCH (n:Passage)-[:MENTIONS|ABOUT]->(k:Key) WITH DISTINCT n, k
    RETURN collect({key: k.key, kdf: k.kdf, node: k.node, targets: k.targets,
      about: CASE WHEN k.targets <= ${MAX_ABOUT} THEN [${ABOUT} | x.id] ELSE [] END,
      titled: EXISTS { (n)-[a:ABOUT]->(k) WHERE k.targets > 0 AND a.alias = (k.titles = 0) },
      shared: CASE WHEN k.kdf >= ${SHARED_MIN} AND k.kdf <= ${SHARED_MAX} AND k.node IS NOT NULL
        THEN [(k)<-[:MENTIONS]-(p) | p.id] + [(x:Passage)-[a:ABOUT]->(k)
          WHERE k.targets > 0 AND a.alias = (k.titles = 0) | x.id] END}) AS keys
  }
  CALL (n) {
    MATCH (n)-[a:ABOUT]->(k:Key) WHERE ${LINKING}
    MATCH (k)<-[m:MENTIONS]-(p:Passage) WHERE p <> n
    WITH p, collect({key: k.key, at: m.at, targets: k.targets}) AS via ORDER BY p.hash, p.id LIMIT $p.limit
    RETURN collect({from: p.id, via: via}) AS into
  }
  CALL (n) {
    MATCH (n)-[r]-(o:Node) WHERE r.id IS NOT NULL
    WITH DISTINCT r, o ORDER BY r.confidence DESC, o.hash, o.id, r.id LIMIT $p.edges
    RETURN collect(${EDGE}) AS edges
  }
  RETURN {id: n.id, mentions: n.mentions, keys: keys, into: into, edges: edges} AS row`;

/** Distinct passages that link to a node: for nodes asked about and for all that their mentions may link to. */
const INLINKS = `UNWIND $p.ids AS id MATCH (n:Node {id: id}) WHERE $p.domains IS NULL OR n.domain IN $p.domains
  CALL (n) {
    RETURN n AS x
    UNION
    MATCH (n:Passage)-[:MENTIONS]->(k:Key)<-[a:ABOUT]-(x) WHERE ${LINKING} RETURN x
  }
  WITH DISTINCT x
  CALL (x) {
    MATCH (x)-[a:ABOUT]->(k:Key) WHERE ${LINKING}
    RETURN collect(k) AS ks, sum(k.mentions) AS total,
      sum(CASE WHEN EXISTS { (x)-[:MENTIONS]->(k) } THEN 1 ELSE 0 END) AS own
  }
  CALL (x, ks) {
    WITH x, ks WHERE size(ks) > 1
    UNWIND ks AS k MATCH (k)<-[:MENTIONS]-(p) WHERE p <> x RETURN count(DISTINCT p) AS many
  }
  RETURN {id: x.id, inlinks: CASE WHEN size(ks) > 1 THEN many ELSE total - own END} AS row`;

const FACTORED = `UNWIND $p.ids AS id MATCH (n:Node {id: id})-[r]-(:Node)
  WHERE r.id IN $p.factored AND ($p.domains IS NULL OR n.domain IN $p.domains)
  RETURN DISTINCT ${EDGE} AS row`;

/** One hop around nodes, in one round trip; see the port. */
export async function expand(
  reader: Reader,
  ids: readonly string[],
  {
    domains,
    limit,
    factors,
  }: {
    readonly domains: readonly string[] | undefined;
    readonly limit: number;
    readonly factors: ReadonlyMap<string, number>;
  },
): Promise<Expansion> {
  const asked = [...new Set(ids)];
  const factored = [...factors.keys()].filter((edge) => endsAmong(edge, new Set(asked)));
  const common = { ids: asked, domains: domains === undefined || domains.length === 0 ? null : domains };
  const [around, counts, weighed] = await Promise.all([
    reader.ask<Around>(AROUND, { ...common, limit: int(limit), edges: int(limit + factored.length) }),
    reader.ask<{ id: string; inlinks: number }>(INLINKS, common),
    factored.length === 0 ? [] : reader.ask<EdgeRow>(FACTORED, { ...common, factored }),
  ]);
  around.sort((a, b) => compare(a.id, b.id));
  const out = around.flatMap((row) => outOf(row, limit));
  const known = new Map(counts.map((row) => [row.id, row.inlinks]));
  const inlinks = new Map<string, number>();
  for (const id of [...around.map((row) => row.id), ...out.map((link) => link.to)]) {
    inlinks.set(id, known.get(id) ?? 0);
  }
  const entities = around.flatMap(entitiesOf);
  const shared = new Map<string, readonly string[]>();
  const refs = new Set(entities.map((ref) => ref.entity));
  for (const row of around) {
    for (const { node, shared: passages } of row.keys) {
      if (node !== null && passages !== null && refs.has(node)) shared.set(node, [...new Set(passages)].sort(compare));
    }
  }
  return {
    out: out.sort(byPlace),
    in: around.flatMap(intoOf).sort(byPlace),
    inlinks,
    entities: entities.sort((a, b) => compare(a.node, b.node) || compare(a.key, b.key)),
    shared,
    edges: edgesAt(around, { weighed, factors, limit }),
  };
}

function endsAmong(edge: string, ids: ReadonlySet<string>): boolean {
  for (const id of ids) if (edge.startsWith(`${id}|`) || edge.endsWith(`|${id}`)) return true;
  return false;
}

/** Links of a passage to at most `limit` targets: those over the rarest keys first. */
function outOf({ id, mentions, keys }: Around, limit: number): Link[] {
  const byKey = new Map(keys.filter((key) => key.targets > 0 && key.targets <= MAX_ABOUT).map((key) => [key.key, key]));
  const links: Link[] = [];
  const rarest = new Map<string, number>();
  for (const { key, sentence, token, length } of JSON.parse(mentions ?? '[]') as Mention[]) {
    const state = byKey.get(key);
    for (const to of state?.about ?? []) {
      if (to === id) continue;
      links.push({ from: id, to, key, sentence, token, length, weight: 1 / state!.targets });
      rarest.set(to, Math.min(rarest.get(to) ?? state!.kdf, state!.kdf));
    }
  }
  const targets = [...rarest].sort((a, b) => a[1] - b[1] || bySample(a[0], b[0])).slice(0, limit);
  const kept = new Set(targets.map(([to]) => to));
  return links.filter((link) => kept.has(link.to));
}

function intoOf({ id, into }: Around): Link[] {
  return into.flatMap(({ from, via }) =>
    via.flatMap(({ key, at, targets }) => {
      const links: Link[] = [];
      for (let i = 0; i < at.length; i += 3) {
        const place = { sentence: at[i]!, token: at[i + 1]!, length: at[i + 2]! };
        links.push({ from, to: id, key, ...place, weight: 1 / targets });
      }
      return links;
    }),
  );
}

function entitiesOf({ id, mentions, keys }: Around): EntityRef[] {
  const mentioned = new Set((JSON.parse(mentions ?? '[]') as Mention[]).map((mention) => mention.key));
  return keys.flatMap(({ key, node, kdf, titled }) => {
    if (node === null || !(titled || mentioned.has(key))) return [];
    return [{ node: id, key, entity: node, kdf, title: titled }];
  });
}

function edgesAt(
  around: readonly Around[],
  {
    weighed,
    factors,
    limit,
  }: { readonly weighed: readonly EdgeRow[]; readonly factors: ReadonlyMap<string, number>; readonly limit: number },
): Expansion['edges'] {
  const found = around.map(({ id, edges }) => {
    const own = [...edges, ...weighed.filter((edge) => edge.source_id === id || edge.target_id === id)];
    const distinct = [...new Map(own.map((edge) => [edge.id, edge])).values()];
    return distinct.map((row) => {
      const other = row.source_id === id ? row.target_id : row.source_id;
      return { edge: { ...edgeOf(row), weight: row.confidence * (factors.get(row.id) ?? 1) }, other };
    });
  });
  return heaviest(found, limit);
}
