import { type RawBuilder, sql } from 'kysely';
import { forValues, GIVEN } from '../../backends/store/rows.js';
import type { Db } from '../../backends/store/schema.js';
import { slicer } from '../../core/async/slices.js';
import { sortInSlices } from '../../core/async/sort-in-slices.js';
import type { AboutKey, DomainInfo, GraphNode, JsonObject, MessageFields } from '../../core/model.js';
import { normalise } from '../../core/text/fold.js';
import { PAGE } from '../groups.js';
import { compare } from '../manifest/asserted.js';
import { unpackMentions, usualName } from '../mention-blob.js';
import { KINDS, type Row } from '../tables.js';
import type { PassageRecord } from '../types.js';
import type { NodeFilter } from './filters.js';
import { passagePages } from './passage-pages.js';

type NodeInfoRow = Pick<Row<'node'>, 'id' | 'kind' | 'name' | 'confidence'> &
  Pick<Row<'passage'>, 'ord' | 'sentences' | 'about' | 'message'> & { readonly domain: string } & Readonly<
    Record<'description' | 'properties' | 'text' | 'source_id', string | null>
  >;

const COLUMNS = sql`n.id, d.name as domain, n.kind, n.name, n.confidence, c.description, c.properties,
  p.text, s.id as source_id, p.ord, p.sentences, p.about, p.message`;

const JOINS = sql`join domain d on d.ref = n.domain
  left join concept c on n.kind = 0 and c.node = n.ref and c.source = n.shown
  left join passage p on n.kind = 1 and p.node = n.ref left join source s on s.ref = p.source`;

/** Returns the nodes in the order of `ids`; absent ones are left out. */
export async function nodesOf(db: Db, ids: readonly string[]): Promise<GraphNode[]> {
  const nodes = new Map((await numberedNodes(db, ids)).map(({ node }) => [node.id, node]));
  return ids.flatMap((id) => nodes.get(id) ?? []);
}

/** Returns the nodes of these ids with their numbers and the length of their texts, in any order; absent ones are left out. */
export async function numberedNodes(
  db: Db,
  ids: readonly string[],
): Promise<Array<{ readonly ref: number; readonly node: GraphNode; readonly length: number }>> {
  const rows = await forValues(db, ids)<NodeInfoRow & { readonly ref: number }>`
    select n.ref, ${COLUMNS} from ${GIVEN} join node n on n.id = given.v ${JOINS}`;
  return rows.map((row) => {
    const node = nodeOf(row);
    return { ref: row.ref, node, length: node.description.length + (row.properties?.length ?? 0) };
  });
}

export type NodeName = Pick<GraphNode, 'id' | 'name' | 'domain'>;

/** Returns name and domain of these ids with their numbers, in the same way. */
export function numberedNames(db: Db, ids: readonly string[]): Promise<Array<NodeName & { readonly ref: number }>> {
  return forValues(db, ids)<NodeName & { readonly ref: number }>`
    select n.ref, n.id, n.name, d.name as domain from ${GIVEN} join node n on n.id = given.v
    join domain d on d.ref = n.domain`;
}

/** Returns the nodes that a filter lets through, ordered by id. Reads a page at a time and gives way to the event loop. */
export async function findNodes(db: Db, filter: NodeFilter): Promise<GraphNode[]> {
  const pause = slicer();
  const found: GraphNode[] = [];
  let left = filter.limit ?? Number.POSITIVE_INFINITY;
  for (let after = filter.after; left > 0; await pause()) {
    const place = after === undefined ? {} : { after };
    const page = { ...filter, ...place, limit: Math.min(PAGE, left) };
    // Few of many nodes may pass, so that the index tells where a page ends.
    const isSparse = [filter.kind, filter.pattern, filter.norm].some((wanted) => wanted !== undefined);
    const last = isSparse ? await endOfPage(db, page) : undefined;
    if (last === null) break;
    const nodes = await nodesOfPage(db, { ...page, last });
    for (const node of nodes) found.push(node);
    left -= nodes.length;
    if (!isSparse && nodes.length < page.limit) break;
    after = last ?? nodes.at(-1)?.id;
  }
  return found;
}

/** Returns the id up to which the next thousand nodes reach, whatever they are; null where there is none. */
async function endOfPage(db: Db, filter: NodeFilter): Promise<string | null> {
  const { rows } = await sql<{ last: string | null }>`select max(id) as last from (select n.id from node n
    where ${sql.join(placeOf(filter), sql` and `)} order by n.id limit ${PAGE}) as page`.execute(db);
  return rows[0]?.last ?? null;
}

function placeOf({ domain, after }: NodeFilter): RawBuilder<unknown>[] {
  const where: RawBuilder<unknown>[] = [sql`true`];
  if (domain !== undefined) where.push(sql`n.id >= ${`${domain}:`} and n.id < ${`${domain};`}`);
  if (after !== undefined) where.push(sql`n.id > ${after}`);
  return where;
}

async function nodesOfPage(
  db: Db,
  { last, ...filter }: NodeFilter & { readonly limit: number; readonly last: string | undefined },
): Promise<GraphNode[]> {
  const where = placeOf(filter);
  if (last !== undefined) where.push(sql`n.id <= ${last}`);
  if (filter.kind !== undefined) where.push(sql`n.kind = ${KINDS.indexOf(filter.kind)}`);
  if (filter.norm !== undefined) where.push(sql`n.norm = ${filter.norm}`);
  if (filter.pattern !== undefined) where.push(sql`n.norm like ${likePattern(filter.pattern)} escape ${'\\'}`);
  const rows = await sql<NodeInfoRow>`select ${COLUMNS} from node n ${JOINS}
    where ${sql.join(where, sql` and `)} order by n.id limit ${filter.limit}`.execute(db);
  return rows.rows.map(nodeOf);
}

/** Translates a glob to a LIKE pattern with `\` as its escape. */
function likePattern(pattern: string): string {
  const source = [...normalise(pattern, 'NFKC').toLowerCase()]
    .map((char) => (char === '*' ? '%' : char === '?' ? '_' : /[\\%_]/.test(char) ? `\\${char}` : char))
    .join('');
  return /[*?]/.test(pattern) ? source : `%${source}%`;
}

function nodeOf(row: NodeInfoRow): GraphNode {
  const { id, name, domain, confidence } = row;
  const kind = KINDS[row.kind]!;
  if (kind !== 'passage') {
    const properties = row.properties === null ? {} : (JSON.parse(row.properties) as JsonObject);
    return { id, kind, name, description: row.description ?? '', domain, confidence, properties };
  }
  const message = row.message === null ? {} : { message: JSON.parse(row.message) as MessageFields };
  return {
    id,
    kind,
    name,
    description: row.text ?? '',
    domain,
    confidence,
    properties: {},
    passage: {
      source_id: row.source_id ?? '',
      order: row.ord,
      sentences: JSON.parse(row.sentences) as Array<[number, number]>,
      about: JSON.parse(row.about) as AboutKey[],
      ...message,
    },
  };
}

type RecordRow = Pick<Row<'passage'>, 'text' | 'sentences' | 'about' | 'mentions'> &
  Pick<PassageRecord, 'id' | 'source_id' | 'title'>;

type PlacedRow = RecordRow & { readonly ord: number; readonly ref: number };

const RECORD = sql`n.id, s.id as source_id, n.name as title, p.text, p.sentences, p.about, p.mentions`;

type KeyNames = (refs: Iterable<number>) => Promise<ReadonlyMap<number, string>>;

/** Returns keys by number; absent ones are missing. */
export async function keyNames(db: Db, refs: Iterable<number>): Promise<Map<number, string>> {
  const rows = await forValues(db, refs)<{ ref: number; key: string }>`
    select k.ref, k.key from ${GIVEN} join key k on k.ref = given.v`;
  return new Map(rows.map(({ ref, key }) => [ref, key]));
}

/** Returns passages with what they mention, in the order of `ids`. `keysOf`: where keys are known already. */
export async function recordsOf(
  db: Db,
  ids: readonly string[],
  keysOf: KeyNames = (refs) => keyNames(db, refs),
): Promise<PassageRecord[]> {
  const rows = await forValues(db, ids)<RecordRow>`
    select ${RECORD} from ${GIVEN} join node n on n.id = given.v join passage p on p.node = n.ref
    join source s on s.ref = p.source`;
  const records = new Map((await asRecords(rows, keysOf)).map((record) => [record.id, record]));
  return ids.flatMap((id) => records.get(id) ?? []);
}

/** Returns the passages of a source in order. Reads a page at a time and gives way to the event loop. */
export async function recordsOfSource(db: Db, sourceId: string): Promise<PassageRecord[]> {
  const count = await sql<{ ref: number; n: number }>`select s.ref, (select count(*) from passage p
    where p.source = s.ref) as n from source s where s.id = ${sourceId}`.execute(db);
  const found: Array<PassageRecord & { readonly ord: number }> = [];
  const counts = new Map(count.rows.map(({ ref, n }) => [ref, Number(n)]));
  const join = sql`join node n on n.ref = p.node join source s on s.ref = p.source`;
  const columns = sql<PlacedRow>`${RECORD}, p.ord, p.node as ref`;
  for await (const rows of passagePages(db, counts, { columns, join })) {
    const records = await asRecords(rows, (refs) => keyNames(db, refs));
    for (const [i, record] of records.entries()) found.push({ ...record, ord: rows[i]!.ord });
  }
  const sorted = await sortInSlices(found, (a, b) => a.ord - b.ord || compare(a.id, b.id));
  return sorted.map(({ ord: _, ...record }) => record);
}

async function asRecords(rows: readonly RecordRow[], keysOf: KeyNames): Promise<PassageRecord[]> {
  const mentions = rows.map((row) => unpackMentions(row.mentions));
  const refs = new Set(mentions.flatMap((list) => list.map((mention) => mention.key)));
  const keys = await keysOf(refs);
  return rows.map((row, i) => ({
    id: row.id,
    source_id: row.source_id,
    title: row.title,
    text: row.text,
    sentences: JSON.parse(row.sentences) as Array<[number, number]>,
    about: JSON.parse(row.about) as AboutKey[],
    mentions: mentions[i]!.map(({ key: ref, name, sentence, token, length }) => {
      const key = keys.get(ref) ?? '';
      return { key, name: name ?? usualName(key), sentence, token, length };
    }),
  }));
}

export interface DomainRow extends DomainInfo {
  readonly ref: number;
}

/** Returns the domains by name (all without names, or with none), in order. */
export async function domainRows(db: Db, names?: readonly string[]): Promise<DomainRow[]> {
  const rows = await db.selectFrom('domain').selectAll().orderBy('name').execute();
  const wanted = names === undefined || names.length === 0 ? null : new Set(names);
  return rows
    .filter((row) => wanted === null || wanted.has(row.name))
    .map(({ ref, name, description, concepts, edges, rules, passages }) => {
      return { ref, name, description, concept_count: concepts, edge_count: edges, rule_count: rules, passages };
    });
}

/** Returns the domains without the edges that the service itself asserts, as learning does: they are nothing that people said. */
export async function withoutLearnedEdges(db: Db, domains: readonly DomainRow[]): Promise<DomainRow[]> {
  // SQLite takes cross joins in the order written: the few sources first, then their edges; else it reads every edge there is.
  const learned = await sql<{ ref: number; edges: number }>`select s.domain as ref, count(*) as edges
    from domain d cross join source s cross join edge e
    where s.domain = d.ref and s.kind = 'system' and e.source = s.ref and e.shown = 1 and e.src <> 0 and e.dst <> 0
    group by s.domain`.execute(db);
  const counts = new Map(learned.rows.map(({ ref, edges }) => [ref, Number(edges)]));
  return domains.map((row) => ({ ...row, edge_count: row.edge_count - (counts.get(row.ref) ?? 0) }));
}
