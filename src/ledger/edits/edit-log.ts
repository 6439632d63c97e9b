import { sql } from 'kysely';
import { forValues, GIVEN } from '../../backends/store/rows.js';
import type { Db } from '../../backends/store/schema.js';
import { anyOf } from '../../backends/store/sql.js';
import { push } from '../../core/group-by.js';
import type { JsonObject } from '../../core/model.js';
import type { DomainRef } from '../write/write-state.js';
import { type EditBody, type EditRecord, mergeTarget, messageTarget, sessionTarget, targetsOf } from './edit-types.js';

export interface EditRow extends Omit<EditRecord, 'body' | 'before'> {
  readonly body: string;
  readonly before: string;
}

/** The columns of an `EditRow`: `e` is the log, `d` the domain. */
export const EDIT_RECORD = sql`e.id as edit_id, d.name as domain, e.body, e.before, e.created_at, e.undone_at`;

export async function insertEdit(
  db: Db,
  domain: DomainRef,
  edit: Pick<EditRecord, 'edit_id' | 'body' | 'before' | 'created_at'>,
): Promise<void> {
  const { target, other } = targetsOf(edit.body, domain.name);
  await sql`insert into edit (id, domain, type, target, other, body, before, created_at, undone_at)
    values (${edit.edit_id}, ${domain.ref}, ${edit.body.type}, ${target}, ${other}, ${JSON.stringify(edit.body)},
      ${JSON.stringify(edit.before)}, ${edit.created_at}, null)`.execute(db);
}

export async function markUndone(db: Db, editId: string, undone_at: string): Promise<void> {
  await sql`update edit set undone_at = ${undone_at} where id = ${editId}`.execute(db);
}

/** Marks the edit undone that made a merge. */
export async function markMergeUndone(
  db: Db,
  domain: DomainRef,
  { merge_id, from_id, undone_at }: { readonly merge_id: string; readonly from_id: string; readonly undone_at: string },
): Promise<void> {
  await sql`update edit set undone_at = ${undone_at} where domain = ${domain.ref} and target = ${mergeTarget(from_id)}
    and undone_at is null and body like ${`%${merge_id}%`}`.execute(db);
}

export async function findEdit(db: Db, editId: string): Promise<EditRecord | undefined> {
  const { rows } = await sql<EditRow>`select ${EDIT_RECORD} from edit e join domain d on d.ref = e.domain
    where e.id = ${editId}`.execute(db);
  return rows.map(recordOf)[0];
}

/** Returns whether the log of a domain has any edit, undone ones too. */
export async function hasEdits(db: Db, domain: DomainRef): Promise<boolean> {
  const { rows } = await sql`select 1 from edit where domain = ${domain.ref} limit 1`.execute(db);
  return rows.length > 0;
}

/** Returns the edits that count of these targets, in the order in which they were made. */
export async function activeEdits(
  db: Db,
  domain: DomainRef,
  targets: Iterable<string>,
): Promise<Map<string, EditBody[]>> {
  const rows = await forValues(db, targets)<{ ref: number; target: string; body: string }>`
    select e.ref, given.v as target, e.body from ${GIVEN} cross join edit e
    where e.domain = ${domain.ref} and e.target = given.v and e.undone_at is null
    union all select e.ref, given.v, e.body from ${GIVEN} cross join edit e
    where e.domain = ${domain.ref} and e.other = given.v and e.undone_at is null and e.other <> e.target`;
  const found = new Map<string, EditBody[]>();
  for (const { target, body } of rows.sort((a, b) => a.ref - b.ref)) push(found, target, JSON.parse(body) as EditBody);
  return found;
}

export function recordOf({ body, before, ...row }: EditRow): EditRecord {
  return { ...row, body: JSON.parse(body) as EditBody, before: JSON.parse(before) as JsonObject };
}

/** Returns the ids of the edits that hide a message, the first one first: they remove the message or its session. */
export function hidingEdits(
  db: Db,
  domain: string,
  message: { readonly source_id: string; readonly identity: string },
): Promise<string[]> {
  return editsOf(db, domain, [messageTarget(message), sessionTarget(message)]);
}

/** Returns whether an edit hides one of these messages of a session. */
export async function hidesOne(
  db: Db,
  domain: string,
  { source_id, identities }: { readonly source_id: string; readonly identities: readonly string[] },
): Promise<boolean> {
  const targets = identities.map((identity) => messageTarget({ source_id, identity }));
  return (await editsOf(db, domain, [sessionTarget({ source_id }), ...targets])).length > 0;
}

async function editsOf(db: Db, domain: string, targets: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select e.id from edit e join domain d on d.ref = e.domain
    where d.name = ${domain} and ${anyOf(db, 'e.target', targets)} and e.undone_at is null order by e.ref`.execute(db);
  return rows.map(({ id }) => id);
}
