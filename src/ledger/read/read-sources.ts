import { type Kysely, sql } from 'kysely';
import { withRows, withValues } from '../../backends/store/rows.js';
import type { Database } from '../../backends/store/schema.js';
import type { SourceInfo, SourceKind } from '../../core/model.js';
import { forEachInSlices } from '../../core/slices.js';
import { PendingEdges } from '../manifest/pending-edges.js';
import { countKeys } from '../mention-blob.js';
import { ENTITY, PASSAGE } from '../tables.js';
import type { NodeSource } from '../types.js';
import { type Counts, noCounts } from './counts.js';
import type { SourceFilter } from './filters.js';
import { passagePages } from './passage-pages.js';

/** Returns what now exists because of each of these sources. */
export async function sourceCounts(db: Kysely<Database>, refs: readonly number[]): Promise<Map<number, Counts>> {
  const counts = new Map(refs.map((ref) => [ref, noCounts()]));
  const tally = await withValues(
    db,
    refs,
    (given) => sql<{ source: number; part: 'concepts' | 'edges' | 'rules' | 'passages'; n: number }>`
      select source, 'concepts' as part, count(*) as n from concept where source in (select v from ${given}) group by source
      union all select source, 'rules', count(*) from rule where source in (select v from ${given}) group by source
      union all select source, 'passages', count(*) from passage where source in (select v from ${given}) group by source
      union all select source, 'edges', count(*) from (select distinct source, src, dst, relation from edge
        where source in (select v from ${given}) and src <> 0 and dst <> 0) as seen group by source`,
  );
  for (const { source, part, n } of tally) counts.get(source)![part] = n;
  const mentioned = new Map<number, Set<number>>();
  const sessions = await countSessions(db, refs, counts);
  const documents = refs.filter((ref) => !sessions.has(ref));
  const passages = new Map(documents.map((ref) => [ref, counts.get(ref)!.passages]));
  const columns = sql<Mentions>`p.source, p.ord, p.node as ref, p.mentions`;
  for await (const page of passagePages(db, passages, { columns })) {
    await forEachInSlices(page, ({ source, mentions }) => {
      const keys = mentioned.get(source) ?? new Set();
      mentioned.set(source, keys);
      for (const key of countKeys(mentions).keys()) keys.add(key);
    });
  }
  await addEntities(db, mentioned, counts);
  return counts;
}

interface Mentions {
  readonly source: number;
  readonly ord: number;
  readonly ref: number;
  readonly mentions: Uint8Array;
}

/** Counts what messages mention, without reading them. Returns which of the sources are sessions. */
async function countSessions(
  db: Kysely<Database>,
  refs: readonly number[],
  counts: ReadonlyMap<number, Counts>,
): Promise<Set<number>> {
  const sessions = await withValues(
    db,
    refs,
    (given) => sql<{ ref: number; keys: number }>`select s.ref,
      (select count(*) from session_key k where k.source = s.ref) as keys
      from ${given} join source s on s.ref = given.v where s.kind = 'session'`,
  );
  for (const { ref, keys } of sessions) counts.get(ref)!.concepts += keys;
  return new Set(sessions.map((row) => row.ref));
}

/** Counts the nodes that a source's mentions stand for as its concepts too, once each. */
async function addEntities(
  db: Kysely<Database>,
  mentioned: ReadonlyMap<number, ReadonlySet<number>>,
  counts: ReadonlyMap<number, Counts>,
): Promise<void> {
  const keys = new Set<number>();
  for (const refs of mentioned.values()) await forEachInSlices(refs, (ref) => keys.add(ref));
  const entities = await withValues(
    db,
    keys,
    (given) => sql<{ ref: number; node: number }>`select k.ref, k.node from ${given} join key k on k.ref = given.v`,
  );
  const nodes = new Map<number, number>();
  await forEachInSlices(entities, ({ ref, node }) => nodes.set(ref, node));
  const pairs: Array<[number, number]> = [];
  for (const [source, refs] of mentioned) {
    const distinct = new Set<number>();
    await forEachInSlices(refs, (ref) => distinct.add(nodes.get(ref) ?? 0));
    counts.get(source)!.concepts += distinct.size;
    await forEachInSlices(distinct, (node) => pairs.push([node, source]));
  }
  const both = await withRows(
    db,
    { columns: { node: 'int', source: 'int' }, rows: pairs },
    (given) => sql<{ source: number }>`select c.source from ${given}
      join concept c on c.node = given.node and c.source = given.source`,
  );
  for (const { source } of both) counts.get(source)!.concepts -= 1;
}

/** Returns by source sentences about its pending edges; sources without such an edge are left out. */
export async function pendingWarningsOf(
  db: Kysely<Database>,
  sources: readonly number[],
): Promise<Map<number, string[]>> {
  const rows = await withValues(
    db,
    sources,
    (given) => sql<{ source: number; src_end: string; dst_end: string; src: number; dst: number }>`
      select e.source, e.src_end, e.dst_end, e.src, e.dst from ${given} join edge e on e.source = given.v
      where e.src = 0 or e.dst = 0 order by e.ref`,
  );
  const pending = new PendingEdges<number>();
  for (const { source, src_end, dst_end, src, dst } of rows) {
    pending.add(source, src === 0 ? src_end : null, dst === 0 ? dst_end : null);
  }
  return pending.warnings();
}

interface SourceInfoRow extends Omit<SourceInfo, 'kind' | keyof Counts> {
  readonly ref: number;
  readonly kind: string;
}

export async function listSources(db: Kysely<Database>, filter: SourceFilter): Promise<SourceInfo[]> {
  const where = [sql`true`];
  if (filter.source_id !== undefined) where.push(sql`s.id = ${filter.source_id}`);
  if (filter.domain !== undefined) where.push(sql`d.name = ${filter.domain}`);
  if (filter.domains !== undefined) where.push(sql`d.name in (${sql.join(['', ...filter.domains])})`);
  if (filter.kind !== undefined) where.push(sql`s.kind = ${filter.kind}`);
  if (filter.key_prefix !== undefined)
    where.push(sql`substr(s.key, 1, ${filter.key_prefix.length}) = ${filter.key_prefix}`);
  if (filter.key_suffix !== undefined)
    where.push(sql`substr(s.key, length(s.key) - ${filter.key_suffix.length - 1}) = ${filter.key_suffix}`);
  if (filter.after !== undefined) where.push(sql`s.id > ${filter.after}`);
  const limit = filter.limit === undefined ? sql`` : sql`limit ${filter.limit}`;
  const rows = await sql<SourceInfoRow>`
    select s.ref, s.id as source_id, d.name as domain, s.kind, s.key, s.label, s.content_hash, s.updated_at
    from source s join domain d on d.ref = s.domain where ${sql.join(where, sql` and `)} order by s.id ${limit}`.execute(
    db,
  );
  const counts = await sourceCounts(
    db,
    rows.rows.map((row) => row.ref),
  );
  return rows.rows.map(({ ref, kind, ...row }) => ({ ...row, kind: kind as SourceKind, ...counts.get(ref)! }));
}

/** Returns the source of each passage, and of each concept the one whose assertion is visible. */
export async function sourcesOfNodes(db: Kysely<Database>, ids: readonly string[]): Promise<Map<string, NodeSource>> {
  const rows = await withValues(
    db,
    ids,
    (given) => sql<NodeSource & { readonly id: string }>`select n.id, s.id as source_id, s.label from ${given}
      join node n on n.id = given.v left join passage p on n.kind = ${PASSAGE} and p.node = n.ref
      join source s on s.ref = coalesce(p.source, n.shown) where n.kind <> ${ENTITY}`,
  );
  return new Map(rows.map(({ id, source_id, label }) => [id, { source_id, label }]));
}

/** Returns the ids of the concepts that a source asserts, in order. */
export async function conceptsOfSource(db: Kysely<Database>, sourceId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select n.id from source s join concept c on c.source = s.ref join node n on n.ref = c.node
    where s.id = ${sourceId} order by n.id`.execute(db);
  return rows.map((row) => row.id);
}

/** Returns the warnings about pending edges of one source; none for an unknown one. */
export async function pendingWarningsOfSource(db: Kysely<Database>, sourceId: string): Promise<string[]> {
  const source = await db.selectFrom('source').select('ref').where('id', '=', sourceId).executeTakeFirst();
  if (source === undefined) return [];
  return (await pendingWarningsOf(db, [source.ref])).get(source.ref) ?? [];
}
