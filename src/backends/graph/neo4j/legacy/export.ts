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

type Texts<K extends string> = Readonly<Record<K, string>>;

type LegacyAssertion = Texts<'id' | 'name' | 'description' | 'text' | 'category' | 'metadata' | 'properties'> &
  Pick<Dated<AssertedConcept>, 'confidence' | 'version'> & { readonly concepts: string | null };

type LegacyEdge = Texts<'from' | 'to' | 'relation' | 'properties'> &
  Pick<Dated<AssertedEdge>, 'confidence' | 'version'>;

type LegacyPassage = Texts<'id' | 'name' | 'description' | 'sentences' | 'about' | 'mentions'> & {
  readonly message: string | null;
  readonly ord: number;
};

interface LegacySource {
  readonly id: string;
  readonly source: { domain: string; kind: string; key: string; label: string };
  readonly content_hash: string;
  readonly concepts: LegacyAssertion[];
  readonly rules: LegacyAssertion[];
  readonly edges: LegacyEdge[];
  readonly passages: LegacyPassage[];
}

/** Returns what these sources assert; unknown ones are left out. */
export async function exportLegacy(connection: Neo4jConnection, ids: readonly string[]): Promise<SourceExport[]> {
  const rows = await connection.read<{ row: LegacySource }>(
    `UNWIND $ids AS id MATCH (s:Source {id: id})
     CALL (s) {
       MATCH (a:Assertion {source_id: s.id}) WITH a ORDER BY a.version, a.ord
       RETURN collect(a {.from, .to, .relation, .properties, .confidence, .version}) AS edges
     }
     RETURN {id: id, source: s {.domain, .kind, .key, .label}, content_hash: s.content_hash, edges: edges,
       concepts: [(s)-[a:ASSERTS]->(n:Concept) | a {.name, .description, .properties, .confidence, .version, id: n.id}],
       rules: [(s)-[a:ASSERTS]->(r:Rule) | a {.text, .category, .concepts, .metadata, .confidence, .version, id: r.id}],
       passages: [(s)-[:CONTAINS]->(p) | p {.id, .name, .description, .sentences, .about, .message, .mentions, .ord}]} AS row`,
    { ids },
  );
  return rows.map(({ row }) => ({
    source_id: row.id,
    source: { ...row.source, kind: row.source.kind as SourceKind },
    content_hash: row.content_hash,
    concepts: row.concepts.map(conceptOf),
    edges: row.edges.map(edgeOf),
    rules: row.rules.map(ruleOf),
    passages: row.passages.map(passageOf).sort((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1)),
  }));
}

function conceptOf({
  id,
  name,
  description,
  properties,
  confidence,
  version,
}: LegacyAssertion): Dated<AssertedConcept> {
  return { id, name, description, properties: JSON.parse(properties) as JsonObject, confidence, version };
}

function edgeOf({ from, to, relation, properties, confidence, version }: LegacyEdge): Dated<AssertedEdge> {
  const parsed = JSON.parse(properties) as JsonObject;
  return { source: from, target: to, relation, properties: parsed, confidence, version };
}

function ruleOf(row: LegacyAssertion): Dated<AssertedRule> {
  const { id, text, category, confidence, version } = row;
  const concepts = row.concepts === null ? null : (JSON.parse(row.concepts) as string[]);
  return { id, text, category, confidence, version, concepts, metadata: JSON.parse(row.metadata) as JsonObject };
}

function passageOf(row: LegacyPassage): Passage {
  return {
    id: row.id,
    title: row.name,
    text: row.description,
    sentences: JSON.parse(row.sentences) as Array<[number, number]>,
    about: JSON.parse(row.about) as AboutKey[],
    order: row.ord,
    mentions: JSON.parse(row.mentions) as Mention[],
    ...(row.message === null ? {} : { message: JSON.parse(row.message) as MessageFields }),
  };
}
