import type { AboutKey, JsonObject, Mention, MessageFields, Passage, SourceKind } from '../../../../core/model.js';
import type { AssertedConcept, AssertedEdge, AssertedRule } from '../../../../ledger/manifest/asserted.js';
import type { Dated, SourceExport, SourceVersions } from '../../../../ledger/manifest/exported.js';
import { int, type Neo4jConnection } from '../../../neo4j-connection.js';
import type { Reader } from '../read/reader.js';

/** Sources in id order with the versions of their assertions; none where a source has passages only. */
export async function sourceVersions(
  reader: Reader,
  { after, limit }: { readonly after?: string; readonly limit: number },
): Promise<SourceVersions[]> {
  const rows = await reader.rows<{
    source_id: string;
    domain: string;
    content_hash: string;
    asserted: number[];
    edges: number[];
  }>(
    `MATCH (s:Source) WHERE s.id > $after WITH s ORDER BY s.id LIMIT $limit
     CALL (s) { OPTIONAL MATCH (s)-[a:ASSERTS]->() RETURN collect(DISTINCT a.version) AS asserted }
     CALL (s) { OPTIONAL MATCH (a:Assertion {source_id: s.id}) RETURN collect(DISTINCT a.version) AS edges }
     WITH s, asserted, edges ORDER BY s.id
     RETURN s {.domain, .content_hash, source_id: s.id, asserted: asserted, edges: edges} AS row`,
    { after: after ?? '', limit: int(limit) },
  );
  return rows.map(({ asserted, edges, ...source }) => {
    return { ...source, versions: [...new Set([...asserted, ...edges])].sort((a, b) => a - b) };
  });
}

/** Made with the database, and never changed. */
export async function identityOf(connection: Neo4jConnection): Promise<string> {
  const [graph] = await connection.read<{ identity: string }>(
    "MATCH (g:Graph {name: 'graph'}) RETURN g.identity AS identity",
  );
  return graph?.identity ?? '';
}

interface Held {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly text: string;
  readonly category: string;
  readonly concepts: string | null;
  readonly metadata: string;
  readonly properties: string;
  readonly confidence: number;
  readonly version: number;
}

interface EdgeHeld {
  readonly from: string;
  readonly to: string;
  readonly relation: string;
  readonly properties: string;
  readonly confidence: number;
  readonly version: number;
}

interface PassageHeld {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly sentences: string;
  readonly about: string;
  readonly message: string | null;
  readonly mentions: string;
  readonly ord: number;
}

/** What these sources assert, in the order of `ids`; unknown ones are left out. */
export async function exportSources(reader: Reader, ids: readonly string[]): Promise<SourceExport[]> {
  const rows = await reader.each<{
    id: string;
    source: { domain: string; kind: string; key: string; label: string };
    content_hash: string;
    concepts: Held[];
    rules: Held[];
    edges: EdgeHeld[];
    passages: PassageHeld[];
  }>(
    `UNWIND $rows AS id MATCH (s:Source {id: id})
     CALL (s) {
       MATCH (a:Assertion {source_id: s.id}) WITH a ORDER BY a.version, a.ord
       RETURN collect(a {.from, .to, .relation, .properties, .confidence, .version}) AS edges
     }
     RETURN {id: id, source: s {.domain, .kind, .key, .label}, content_hash: s.content_hash, edges: edges,
       concepts: [(s)-[a:ASSERTS]->(n:Concept) | a {.name, .description, .properties, .confidence, .version, id: n.id}],
       rules: [(s)-[a:ASSERTS]->(r:Rule) | a {.text, .category, .concepts, .metadata, .confidence, .version, id: r.id}],
       passages: [(s)-[:CONTAINS]->(p) | p {.id, .name, .description, .sentences, .about, .message, .mentions, .ord}]} AS row`,
    ids,
  );
  const found = new Map(
    rows.map((row): [string, SourceExport] => [
      row.id,
      {
        source_id: row.id,
        source: { ...row.source, kind: row.source.kind as SourceKind },
        content_hash: row.content_hash,
        concepts: row.concepts.map(conceptOf),
        edges: row.edges.map(edgeOf),
        rules: row.rules.map(ruleOf),
        passages: row.passages.map(passageOf).sort((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1)),
      },
    ]),
  );
  return ids.flatMap((id) => found.get(id) ?? []);
}

function conceptOf({ id, name, description, properties, confidence, version }: Held): Dated<AssertedConcept> {
  return { id, name, description, properties: JSON.parse(properties) as JsonObject, confidence, version };
}

function edgeOf({ from, to, relation, properties, confidence, version }: EdgeHeld): Dated<AssertedEdge> {
  const parsed = JSON.parse(properties) as JsonObject;
  return { source: from, target: to, relation, properties: parsed, confidence, version };
}

function ruleOf({ id, text, category, concepts, metadata, confidence, version }: Held): Dated<AssertedRule> {
  return {
    id,
    text,
    category,
    confidence,
    concepts: concepts === null ? null : (JSON.parse(concepts) as string[]),
    metadata: JSON.parse(metadata) as JsonObject,
    version,
  };
}

function passageOf(row: PassageHeld): Passage {
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
