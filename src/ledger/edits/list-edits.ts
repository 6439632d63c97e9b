import { type RawBuilder, sql } from 'kysely';
import { forValues, GIVEN } from '../../backends/store/rows.js';
import type { Db } from '../../backends/store/schema.js';
import { findMerge, type MergeRecord, mergesByRef } from '../merge/merge-log.js';
import { EDIT_RECORD, type EditRow, findEdit, recordOf } from './edit-log.js';
import type { EditFilter, EditRecord } from './edit-types.js';

/** Where an entry of the list lies. */
interface Listed {
  readonly ref: number;
  /** 1 for a merge that is no edit's. */
  readonly is_merge: number;
}

/**
 * Returns edits, and the merges that somebody made by hand without an edit, the newest first; and how many there are.
 * Merges that entity resolution found are no changes by hand.
 */
export async function listEdits(
  db: Db,
  filter: EditFilter,
): Promise<{ readonly edits: EditRecord[]; readonly total: number }> {
  const all = sql`(select 0 as is_merge, e.ref, e.created_at from edit e ${where('e', filter)}
    union all select 1 as is_merge, m.ref, m.created_at from entity_merge m ${where('m', filter)} and m.method = 'manual'
    and not exists (select 1 from edit e where e.domain = m.domain and e.target = 'merge|' || m.from_id
      and e.body like '%' || m.id || '%')) as listed`;
  const { rows } = await sql<Listed>`select ref, is_merge from ${all} order by created_at desc, is_merge, ref desc
    limit ${filter.limit} offset ${filter.offset}`.execute(db);
  const count = await sql<{ n: number }>`select count(*) as n from ${all}`.execute(db);
  return { edits: await recordsOf(db, rows), total: Number(count.rows[0]?.n ?? 0) };
}

/** Returns the edit with this id, else the merge with it as an edit. */
export async function findEditOrMerge(db: Db, id: string): Promise<EditRecord | undefined> {
  const edit = await findEdit(db, id);
  if (edit !== undefined) return edit;
  const merge = await findMerge(db, id);
  return merge === undefined ? undefined : editOf(merge);
}

/** Joins the domain of a row of a log, and keeps the rows that a filter lets through. */
function where(log: string, { domain, domains, undone = true }: EditFilter): RawBuilder<unknown> {
  const of = (column: string) => sql.ref(`${log}.${column}`);
  const parts = [sql`join domain d on d.ref = ${of('domain')} where true`];
  if (domain !== undefined) parts.push(sql`d.name = ${domain}`);
  if (domains !== undefined) parts.push(sql`d.name in (${sql.join(['', ...domains])})`);
  if (!undone) parts.push(sql`${of('undone_at')} is null`);
  return sql.join(parts, sql` and `);
}

async function recordsOf(db: Db, listed: readonly Listed[]): Promise<EditRecord[]> {
  const refs = (isMerge: number) => listed.filter((row) => row.is_merge === isMerge).map(({ ref }) => ref);
  const edits = await forValues(db, refs(0))<EditRow & { ref: number }>`select e.ref, ${EDIT_RECORD}
    from ${GIVEN} join edit e on e.ref = given.v join domain d on d.ref = e.domain`;
  const byRef = new Map(edits.map(({ ref, ...row }) => [ref, recordOf(row)]));
  const merges = await mergesByRef(db, refs(1));
  return listed.map(({ ref, is_merge }) => (is_merge === 1 ? editOf(merges.get(ref)!) : byRef.get(ref)!));
}

/** Returns a merge as an edit; the merge's id is the edit's too. */
function editOf({ merge_id, domain, created_at, undone_at, ...merge }: MergeRecord): EditRecord {
  const { from_id, into_id, from_name, into_name } = merge;
  return {
    edit_id: merge_id,
    domain,
    body: { type: 'merge', from_id, into_id, merge_id },
    before: { from: from_name, into: into_name },
    created_at,
    undone_at,
  };
}
