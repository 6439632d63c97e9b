import { jsonOf } from '../../../src/backends/graph/neo4j/query/json.js';
import type { Neo4jConnection } from '../../../src/backends/neo4j-connection.js';
import { MAX_ALIASES } from '../../../src/ledger/key-limits.js';
import type { Visible } from '../../ledger-model/world.js';

/** The visible graph in a form in which an engine and a ledger can be compared. */
export interface Contents {
  readonly nodes: unknown[];
  readonly keys: unknown[];
  readonly mentions: unknown[];
  readonly edges: unknown[];
  readonly rules: unknown[];
}

/** What lies in Neo4j, with the counts that readers use. */
export async function contentsOfNeo4j(connection: Neo4jConnection): Promise<Contents> {
  const read = async (cypher: string) =>
    (await connection.read<{ row: unknown }>(cypher)).map(({ row }) => jsonOf(row));
  return {
    nodes:
      await read(`MATCH (n:Node) WITH n ORDER BY n.ref RETURN {ref: n.ref, id: n.id, domain: n.domain, hash: n.hash,
      kind: [l IN labels(n) WHERE l <> 'Node'], name: n.name, text: coalesce(n.text, n.description, ''),
      confidence: n.confidence, sources: coalesce(n.sources, []), tier: n.tier, in: [(n)-[:IN_DOMAIN]->(d) | d.ref]} AS row`),
    keys: await read(`MATCH (k:Key) WITH k ORDER BY k.ref
      CALL (k) { OPTIONAL MATCH (n)-[a:ABOUT|ALIAS]->(k) WITH n, a ORDER BY n.ref RETURN [x IN collect([n.ref, type(a)]) WHERE x[0] IS NOT NULL] AS about }
      RETURN {ref: k.ref, key: k.key, node: k.node, stands: [(k)-[:STANDS_FOR]->(n) | n.ref], about: about,
        titles: k.titles, aliases: k.aliases, targets: k.targets, mentions: k.mentions, frequency: k.document_frequency} AS row`),
    mentions: await read(
      `MATCH (p:Node)-[m:MENTIONS]->(k:Key) WITH p, m, k ORDER BY p.ref, k.ref RETURN [p.ref, k.ref, m.times] AS row`,
    ),
    edges: await read(`MATCH (a:Node)-[r]->(b:Node) WITH a, r, b ORDER BY r.ref, a.ref, b.ref
      RETURN {ref: r.ref, src: a.ref, dst: b.ref, relation: type(r), confidence: r.confidence, sources: r.sources, since: r.since} AS row`),
    rules:
      await read(`MATCH (r:Rule) CALL (r) { OPTIONAL MATCH (r)-[:TOUCHES]->(n) WITH n ORDER BY n.ref RETURN collect(n.ref) AS touches }
      WITH r, touches ORDER BY r.ref RETURN {ref: r.ref, id: r.id, domain: r.domain, text: r.text, form: r.form, touches: touches, sources: r.sources} AS row`),
  };
}

/** The same of a ledger. */
export function contentsOfVisible(visible: Visible): Contents {
  const labels = { concept: 'Concept', passage: 'Passage', entity: 'Entity' } as const;
  const byRef = <T extends { readonly ref: number }>(items: Iterable<T>): T[] =>
    [...items].sort((a, b) => a.ref - b.ref);
  const mentioned = (key: number) =>
    [...visible.mentions.values()].filter(({ keys }) => keys.has(key)).map(({ ref }) => ref);
  return {
    nodes: byRef(visible.nodes.values()).map((node) => ({
      ref: node.ref,
      id: node.id,
      domain: node.domain_name,
      hash: node.hash,
      kind: [labels[node.kind]],
      name: node.name,
      text: node.description,
      confidence: node.confidence,
      sources: node.sources.map(({ label }) => label),
      tier: node.properties.tier ?? null,
      in: node.kind === 'passage' ? [node.domain] : [],
    })),
    keys: byRef(visible.keys.values()).map(({ ref, key, node, about }) => {
      const arcs = [...about].sort((a, b) => a[0] - b[0]);
      const titles = arcs.filter(([, alias]) => alias === 0).length;
      const aliases = arcs.length - titles;
      const active = arcs.filter(([, alias]) => (titles > 0 ? alias === 0 : aliases <= MAX_ALIASES));
      const passages = new Set(mentioned(ref));
      const silent = active.filter(([at]) => visible.nodes.get(at)?.kind === 'passage' && !passages.has(at)).length;
      return {
        ref,
        key,
        node,
        stands: [node],
        about: arcs.map(([at, alias]) => [at, alias === 0 ? 'ABOUT' : 'ALIAS']),
        titles,
        aliases,
        targets: active.length,
        mentions: passages.size,
        frequency: passages.size + silent,
      };
    }),
    mentions: byRef(visible.mentions.values()).flatMap(({ ref, keys }) =>
      [...keys].sort((a, b) => a[0] - b[0]).map(([key, times]) => [ref, key, times]),
    ),
    edges: byRef(visible.edges.values()).map(({ ref, src, dst, relation, confidence, sources, properties }) => {
      return {
        ref,
        src,
        dst,
        relation,
        confidence,
        sources: sources.map(({ label }) => label),
        since: properties.since ?? null,
      };
    }),
    rules: byRef(visible.rules.values()).map(({ ref, id, domain_name, text, metadata, concepts, sources }) => {
      const form = metadata.form ?? null;
      return {
        ref,
        id,
        domain: domain_name,
        text,
        form,
        touches: concepts,
        sources: sources.map(({ label }) => label),
      };
    }),
  };
}
