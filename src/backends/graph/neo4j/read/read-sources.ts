import type { SourceInfo, SourceKind } from '../../../../core/model.js';
import { Waiting } from '../../../../ledger/manifest/waiting.js';
import { type Counts, noCounts } from '../../../../ledger/read/counts.js';
import { int } from '../../../neo4j-connection.js';
import type { SourceFilter } from '../../port.js';
import type { Reads } from './read-keys.js';
import type { Reader } from './reader.js';

/** What now exists because of a source `s`. Nodes that its mentions stand for count as its concepts too, once. */
const COUNTS = `CALL (s) {
    CALL (s) {
      MATCH (s)-[:ASSERTS]->(n:Concept) RETURN n
      UNION
      MATCH (s)-[:CONTAINS]->(:Passage)-[:MENTIONS]->(:Key)-[:STANDS_FOR]->(n) RETURN n
    }
    RETURN count(n) AS concepts
  }
  CALL (s) {
    OPTIONAL MATCH (a:Assertion {source_id: s.id}) RETURN count(DISTINCT a.edge_id) AS edges
  }
  WITH s, concepts, edges, COUNT { (s)-[:ASSERTS]->(:Rule) } AS rules, COUNT { (s)-[:CONTAINS]->() } AS passages`;

/** What now exists because of each of these sources; zeros for unknown ones. */
export async function sourceCounts(reads: Reads, ids: readonly string[]): Promise<Map<string, Counts>> {
  const rows = await reads.each<Counts & { id: string; [column: string]: unknown }>(
    `UNWIND $rows AS id MATCH (s:Source {id: id}) ${COUNTS} RETURN s.id AS id, concepts, edges, rules, passages`,
    ids,
  );
  const counts = new Map(ids.map((id) => [id, noCounts()]));
  for (const { id, concepts, edges, rules, passages } of rows) counts.set(id, { concepts, edges, rules, passages });
  return counts;
}

interface WaitingRow {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly source: string | null;
  readonly target: string | null;
}

const WAITING = `UNWIND $rows AS id MATCH (a:Assertion {source_id: id}) USING INDEX SEEK a:Assertion(source_id)
  WHERE a:Waiting WITH id, a ORDER BY a.version, a.ord
  RETURN {id: id, from: a.from, to: a.to, source: a.source, target: a.target} AS row`;

/** Per source: sentences about its edges that wait for an end; sources without such an edge are left out. */
export async function waitingFor(reads: Reads, ids: readonly string[]): Promise<Map<string, string[]>> {
  return sentencesOf((await reads.each<{ row: WaitingRow }>(WAITING, ids)).map(({ row }) => row));
}

/** What the edges of one source wait for, as readers see it; nothing for an unknown one. */
export async function waitingOfSource(reader: Reader, sourceId: string): Promise<string[]> {
  return sentencesOf(await reader.each<WaitingRow>(WAITING, [sourceId])).get(sourceId) ?? [];
}

function sentencesOf(rows: readonly WaitingRow[]): Map<string, string[]> {
  const waiting = new Waiting<string>();
  for (const { id, from, to, source, target } of rows) {
    waiting.add(id, source === null ? from : null, target === null ? to : null);
  }
  return waiting.warnings();
}

interface SourceRow {
  readonly source_id: string;
  readonly domain: string;
  readonly kind: string;
  readonly key: string;
  readonly label: string;
  readonly content_hash: string;
  readonly updated_at: string;
  readonly concepts: number;
  readonly edges: number;
  readonly rules: number;
  readonly passages: number;
  readonly [column: string]: unknown;
}

export async function listSources(reader: Reader, filter: SourceFilter): Promise<SourceInfo[]> {
  const where: string[] = [];
  if (filter.domain !== undefined) where.push('s.domain = $domain');
  if (filter.kind !== undefined) where.push('s.kind = $kind');
  if (filter.key_prefix !== undefined) where.push('s.key STARTS WITH $key_prefix');
  if (filter.key_suffix !== undefined) where.push('s.key ENDS WITH $key_suffix');
  if (filter.after !== undefined) where.push('s.id > $after');
  const one = filter.source_id === undefined ? '' : ' {id: $source_id}';
  const limit = filter.limit === undefined ? '' : ' LIMIT $limit';
  const rows = await reader.rows<SourceRow>(
    `MATCH (s:Source${one}) ${where.length > 0 ? `WHERE ${where.join(' AND ')}` : ''}
     WITH s ORDER BY s.id${limit} ${COUNTS}
     WITH s, concepts, edges, rules, passages ORDER BY s.id
     RETURN s {.domain, .kind, .key, .label, .content_hash, .updated_at, source_id: s.id, concepts: concepts,
       edges: edges, rules: rules, passages: passages} AS row`,
    { ...filter, ...(filter.limit === undefined ? {} : { limit: int(filter.limit) }) },
  );
  return rows.map((row) => ({ ...row, kind: row.kind as SourceKind }));
}

/** Ids of the concepts that a source asserts, in order. */
export async function conceptsOfSource(reader: Reader, sourceId: string): Promise<string[]> {
  return reader.rows<string>(
    'MATCH (:Source {id: $sourceId})-[:ASSERTS]->(n:Concept) WITH n ORDER BY n.id RETURN n.id AS row',
    { sourceId },
  );
}
