import type {
  AboutKey,
  DomainInfo,
  GraphNode,
  JsonObject,
  Mention,
  MessageFields,
  NodeKind,
} from '../../../../core/model.js';
import { compare } from '../../../../ledger/manifest/asserted.js';
import { hasWildcard } from '../../../../ledger/read/pattern.js';
import { int } from '../../../neo4j-connection.js';
import type { GraphStatistics, NodeFilter, PassageRecord } from '../../port.js';
import { ALL_IDS, idRange } from '../checkpoint/id-range.js';
import type { PassageRow } from '../write/write-passages.js';
import type { Reader } from './reader.js';

interface NodeRow {
  readonly id: string;
  readonly kind: NodeKind;
  readonly name: string;
  readonly description: string;
  readonly domain: string;
  readonly confidence: number;
  readonly properties: string | null;
  readonly source_id: string | null;
  readonly ord: number | null;
  readonly sentences: string | null;
  readonly about: string | null;
  readonly message: string | null;
}

/** A node `n` as a map. */
export const NODE = `n {.id, .name, .description, .domain, .confidence, .properties, .source_id, .ord, .sentences, .about,
  .message, kind: CASE WHEN n:Concept THEN 'concept' WHEN n:Passage THEN 'passage' ELSE 'entity' END}`;

export function nodeOf(row: NodeRow): GraphNode {
  const { id, kind, name, description, domain, confidence } = row;
  const properties = JSON.parse(row.properties ?? '{}') as JsonObject;
  const node = { id, kind, name, description, domain, confidence, properties };
  if (row.source_id === null || row.sentences === null || row.about === null) return node;
  const message = row.message === null ? {} : { message: JSON.parse(row.message) as MessageFields };
  const sentences = JSON.parse(row.sentences) as Array<[number, number]>;
  const about = JSON.parse(row.about) as AboutKey[];
  return { ...node, passage: { source_id: row.source_id, order: row.ord ?? 0, sentences, about, ...message } };
}

/** In the order of `ids`; absent ones are left out. */
export async function nodesOf(reader: Reader, ids: readonly string[]): Promise<GraphNode[]> {
  if (ids.length === 0) return [];
  const rows = await reader.ask<NodeRow>(`UNWIND $p.ids AS id MATCH (n:Node {id: id}) RETURN ${NODE} AS row`, {
    ids: [...new Set(ids)],
  });
  const nodes = new Map(rows.map((row) => [row.id, nodeOf(row)]));
  return ids.flatMap((id) => nodes.get(id) ?? []);
}

const LABELS = { concept: 'Concept', passage: 'Passage', entity: 'Entity' } as const;

/** Along the index of ids: the range of the domain's, or all of them; a label alone would read every node that has it. */
export async function findNodes(reader: Reader, options: NodeFilter): Promise<GraphNode[]> {
  const { domain, pattern, kind, limit } = options;
  const range = domain === undefined ? ALL_IDS : idRange(domain);
  const where = ['n.id > $after AND n.id < $below'];
  if (kind !== undefined) where.push(`n:${LABELS[kind]}`);
  const name = pattern?.normalize('NFKC').toLowerCase();
  if (name !== undefined) where.push(hasWildcard(name) ? 'n.norm =~ $name' : 'n.norm CONTAINS $name');
  const rows = await reader.rows<NodeRow>(
    `MATCH (n:Node) USING INDEX SEEK n:Node(id) WHERE ${where.join(' AND ')}
     WITH n ORDER BY n.id${limit === undefined ? '' : ' LIMIT $limit'} RETURN ${NODE} AS row`,
    {
      after: [range.after, options.after ?? ''].sort(compare)[1]!,
      below: range.below,
      ...(name === undefined ? {} : { name: hasWildcard(name) ? globAsPattern(name) : name }),
      ...(limit === undefined ? {} : { limit: int(limit) }),
    },
  );
  return rows.map(nodeOf);
}

/** A glob as a regular expression of the server. */
function globAsPattern(glob: string): string {
  const source = [...glob].map((char) =>
    char === '*' ? '.*' : char === '?' ? '.' : char.replace(/[\\^$.|+()[\]{}&-]/g, '\\$&'),
  );
  return `(?s)${source.join('')}`;
}

interface DomainRow {
  readonly name: string;
  readonly description: string;
  readonly concepts: number;
  readonly edges: number;
  readonly rules: number;
  readonly passages: number;
}

/** These domains, or all; ordered by name. */
export async function domainInfos(reader: Reader, names?: readonly string[]): Promise<DomainInfo[]> {
  const rows = await reader.ask<DomainRow>(
    `MATCH (d:Domain) WHERE $p.names IS NULL OR d.name IN $p.names
     WITH d ORDER BY d.name RETURN d {.name, .description, .concepts, .edges, .rules, .passages} AS row`,
    { names: names === undefined || names.length === 0 ? null : names },
  );
  return rows.map(({ name, description, concepts, edges, rules, passages }) => {
    return { name, description, concept_count: concepts, edge_count: edges, rule_count: rules, passages };
  });
}

/** Sums over these domains, or all. */
export async function statisticsOf(reader: Reader, names?: readonly string[]): Promise<GraphStatistics> {
  const [row] = await reader.ask<GraphStatistics>(
    `MATCH (d:Domain) WHERE $p.names IS NULL OR d.name IN $p.names
     WITH count(d) AS domains, sum(d.concepts) AS concepts, sum(d.passages) AS passages, sum(d.edges) AS edges,
       sum(d.rules) AS rules
     RETURN {domains: domains, concepts: concepts, passages: passages, edges: edges, rules: rules} AS row`,
    { names: names === undefined || names.length === 0 ? null : names },
  );
  return row!;
}

const RECORD = 'p {.id, .source_id, .sentences, .about, .mentions, title: p.name, text: p.description}';

export async function recordsOf(reader: Reader, ids: readonly string[]): Promise<PassageRecord[]> {
  const rows = await reader.each<PassageRow>(
    `UNWIND $rows AS id MATCH (p:Node {id: id}) WHERE p.mentions IS NOT NULL RETURN ${RECORD} AS row`,
    new Set(ids),
  );
  const records = new Map(rows.map((row) => [row.id, recordOf(row)]));
  return ids.flatMap((id) => records.get(id) ?? []);
}

export async function recordsOfSource(reader: Reader, sourceId: string): Promise<PassageRecord[]> {
  const rows = await reader.rows<PassageRow>(
    `MATCH (:Source {id: $sourceId})-[:CONTAINS]->(p:Passage) WITH p ORDER BY p.ord, p.id RETURN ${RECORD} AS row`,
    { sourceId },
  );
  return rows.map(recordOf);
}

function recordOf({ id, source_id, title, text, sentences, about, mentions }: PassageRow): PassageRecord {
  return {
    id,
    source_id,
    title,
    text,
    sentences: JSON.parse(sentences) as Array<[number, number]>,
    about: JSON.parse(about) as AboutKey[],
    mentions: JSON.parse(mentions) as Mention[],
  };
}
