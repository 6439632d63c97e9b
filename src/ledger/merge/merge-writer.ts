import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { mergedInto, SvcError } from '../../core/errors.js';
import { hash20 } from '../../core/ids.js';
import { markMergeUndone } from '../edits/edit-log.js';
import { CONCEPT, nodesById, type Writer } from '../tables.js';
import type { Effects } from '../types.js';
import { applySources } from '../write/ingest.js';
import { findMerge, type MergeRecord, standInOf } from './merge-log.js';
import { mergesAround } from './merged-nodes.js';

/** Two concepts of one domain, by id, that are to be taken for one. */
export interface MergeRequest {
  readonly from_id: string;
  readonly into_id: string;
  readonly method: string;
  readonly score: number;
}

/** A merge that was made or undone, with what it did to the visible graph. */
export interface MergeEffects {
  readonly merge: MergeRecord;
  readonly effects: Effects;
}

/** Merges two concepts. `node_not_found` where one is none of the domain, `invalid_input` where both are the same. */
export async function mergeConcepts(w: Writer, request: MergeRequest, now: string): Promise<MergeEffects> {
  const { from_id, into_id, method, score } = request;
  if (from_id === into_id) {
    throw new SvcError('invalid_input', 'into_id must be another concept than from_id.', { member: 'into_id' });
  }
  const nodes = new Map((await nodesById(w.db, [from_id, into_id])).map((node) => [node.id, node]));
  for (const id of [from_id, into_id]) {
    const node = nodes.get(id);
    if (node?.kind !== CONCEPT || node.domain !== w.domain.ref) {
      // A caller may know nothing of other domains.
      const fix = mergedInto(await standInOf(w.db, id, w.domain.ref));
      throw new SvcError('node_not_found', `Node ${id} is no concept of domain ${w.domain.name}${fix}.`, { id });
    }
  }
  // Earlier merges that wait for a concept which nobody asserts now give way: nothing leads in a circle.
  const { links } = await mergesAround(w, [from_id, into_id], []);
  for (let id: string | undefined = into_id; id !== undefined; id = links.get(id)) {
    if (links.get(id) === from_id) await undone(w, id, now);
  }
  await undone(w, from_id, now);
  const id = hash20('merge', from_id, into_id, randomUUID());
  await sql`insert into entity_merge
    (id, domain, from_id, into_id, from_name, into_name, method, score, created_at, undone_at)
    values (${id}, ${w.domain.ref}, ${from_id}, ${into_id}, ${nodes.get(from_id)!.name}, ${nodes.get(into_id)!.name},
      ${method}, ${score}, ${now}, null)`.execute(w.db);
  const effects = await applySources(w, [], { reviewed: [from_id, into_id] });
  return { merge: (await findMerge(w.db, id))!, effects };
}

/** Undoes a merge that counts: what it hid is seen as before. An edit that made it is undone with it. */
export async function undoMerge(w: Writer, merge: MergeRecord, now: string): Promise<MergeEffects> {
  await sql`update entity_merge set undone_at = ${now} where id = ${merge.merge_id}`.execute(w.db);
  await markMergeUndone(w.db, w.domain, { ...merge, undone_at: now });
  const effects = await applySources(w, [], { reviewed: [merge.from_id, merge.into_id] });
  return { merge: { ...merge, undone_at: now }, effects };
}

async function undone({ db, domain }: Writer, from: string, now: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`update entity_merge set undone_at = ${now}
    where from_id = ${from} and undone_at is null returning id`.execute(db);
  for (const { id } of rows) await markMergeUndone(db, domain, { merge_id: id, from_id: from, undone_at: now });
}
