import type {
  AboutKey,
  JsonObject,
  Mention,
  MessageFields,
  Passage,
  SourceKind,
  SourceRef,
} from '../../../../core/model.js';
import type { AssertedConcept, AssertedEdge, AssertedRule } from '../../../../ledger/manifest/asserted.js';
import { int, type Neo4jConnection } from '../../../neo4j-connection.js';

/** An assertion with the version of the write that made it: of several equally sure ones the newest is visible. */
export type Dated<T> = T & { readonly version: number };

/** What one source asserts, as it was given; passages with their mentions. */
export interface SourceExport {
  readonly source_id: string;
  readonly source: SourceRef;
  readonly content_hash: string;
  readonly concepts: readonly Dated<AssertedConcept>[];
  readonly edges: readonly Dated<AssertedEdge>[];
  readonly rules: readonly Dated<AssertedRule>[];
  readonly passages: readonly Passage[];
}

/** A source and the writes that made its assertions, oldest first: one, but for sessions. */
export interface SourceVersions {
  readonly source_id: string;
  readonly domain: string;
  readonly content_hash: string;
  readonly versions: readonly number[];
}

/** What release 0.1 kept in Neo4j: sources with what they assert. */
export interface LegacyGraph {
  readonly sources: number;
  /** Set where that release was stopped while it put a checkpoint back. */
  readonly restoring: string | null;
  /** How many writes were brought forward already. */
  readonly brought: number;
}

/** Looks for a graph of release 0.1; null where there is none. */
export async function findLegacy(connection: Neo4jConnection): Promise<LegacyGraph | null> {
  const [row] = await connection.read<{ sources: number; restoring: string | null; brought: number | null }>(
    `MATCH (g:Graph {name: 'graph'}) RETURN g.restoring AS restoring, g.brought AS brought, COUNT { MATCH (:Source) } AS sources`,
  );
  return row === undefined ? null : { ...row, brought: row.brought ?? 0 };
}

const PAGE = 1000;

/** Returns the sources with the versions of their assertions, by id; none where a source has passages only. */
export async function legacyVersions(connection: Neo4jConnection): Promise<SourceVersions[]> {
  const all: SourceVersions[] = [];
  for (let after = ''; ; ) {
    const rows = await connection.read<{
      row: Omit<SourceVersions, 'versions'> & { asserted: number[]; edges: number[] };
    }>(
      `MATCH (s:Source) WHERE s.id > $after WITH s ORDER BY s.id LIMIT $limit
       CALL (s) { OPTIONAL MATCH (s)-[a:ASSERTS]->() RETURN collect(DISTINCT a.version) AS asserted }
       CALL (s) { OPTIONAL MATCH (a:Assertion {source_id: s.id}) RETURN collect(DISTINCT a.version) AS edges }
       RETURN s {.domain, .content_hash, source_id: s.id, asserted: asserted, edges: edges} AS row ORDER BY s.id`,
      { after, limit: int(PAGE) },
    );
    for (const { row } of rows) {
      const { asserted, edges, ...source } = row;
      all.push({ ...source, versions: [...new Set([...asserted, ...edges])].sort((a, b) => a - b) });
    }
    if (rows.length < PAGE) return all;
    after = rows.at(-1)!.row.source_id;
  }
}

export async function legacyDomains(
  connection: Neo4jConnection,
): Promise<ReadonlyArray<{ readonly name: string; readonly description: string }>> {
  return connection.read<{ name: string; description: string }>(
    'MATCH (d:Domain) WHERE NOT d:Going RETURN d.name AS name, d.description AS description ORDER BY d.name',
  );
}

/** A record as that release kept it: the members `K` as JSON. */
type Stored<T, K extends keyof T> = Omit<T, K> & Readonly<Record<K, string>>;

type LegacyRule = Stored<Dated<Omit<AssertedRule, 'concepts'>>, 'metadata'> & { readonly concepts: string | null };

type LegacyPassage = Stored<Omit<Passage, 'message'>, 'sentences' | 'about' | 'mentions'> & {
  readonly message: string | null;
};

interface LegacySource {
  readonly id: string;
  readonly source: { domain: string; kind: string; key: string; label: string };
  readonly content_hash: string;
  readonly concepts: ReadonlyArray<Stored<Dated<AssertedConcept>, 'properties'>>;
  readonly rules: readonly LegacyRule[];
  readonly edges: ReadonlyArray<Stored<Dated<AssertedEdge>, 'properties'>>;
  readonly passages: readonly LegacyPassage[];
}

/** Returns what these sources assert; unknown ones are left out. */
export async function exportLegacy(connection: Neo4jConnection, ids: readonly string[]): Promise<SourceExport[]> {
  const rows = await connection.read<{ row: LegacySource }>(
    `UNWIND $ids AS id MATCH (s:Source {id: id})
     CALL (s) {
       MATCH (a:Assertion {source_id: s.id}) WITH a ORDER BY a.version, a.ord
       RETURN collect(a {source: a.from, target: a.to, .relation, .properties, .confidence, .version}) AS edges
     }
     RETURN {id: id, source: s {.domain, .kind, .key, .label}, content_hash: s.content_hash, edges: edges,
       concepts: [(s)-[a:ASSERTS]->(n:Concept) | a {.name, .description, .properties, .confidence, .version, id: n.id}],
       rules: [(s)-[a:ASSERTS]->(r:Rule) | a {.text, .category, .concepts, .metadata, .confidence, .version, id: r.id}],
       passages: [(s)-[:CONTAINS]->(p) | p {.id, title: p.name, text: p.description,
         .sentences, .about, .message, .mentions, order: p.ord}]} AS row`,
    { ids },
  );
  return rows.map(({ row }) => ({
    source_id: row.id,
    source: { ...row.source, kind: row.source.kind as SourceKind },
    content_hash: row.content_hash,
    concepts: row.concepts.map(withProperties),
    edges: row.edges.map(withProperties),
    rules: row.rules.map(ruleOf),
    passages: row.passages.map(passageOf).sort((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1)),
  }));
}

function withProperties<T extends { readonly properties: string }>(
  row: T,
): Omit<T, 'properties'> & { readonly properties: JsonObject } {
  return { ...row, properties: JSON.parse(row.properties) as JsonObject };
}

function ruleOf({ concepts, metadata, ...rule }: LegacyRule): Dated<AssertedRule> {
  return {
    ...rule,
    concepts: concepts === null ? null : (JSON.parse(concepts) as string[]),
    metadata: JSON.parse(metadata) as JsonObject,
  };
}

function passageOf({ sentences, about, mentions, message, ...passage }: LegacyPassage): Passage {
  return {
    ...passage,
    sentences: JSON.parse(sentences) as Array<[number, number]>,
    about: JSON.parse(about) as AboutKey[],
    mentions: JSON.parse(mentions) as Mention[],
    ...(message === null ? {} : { message: JSON.parse(message) as MessageFields }),
  };
}
