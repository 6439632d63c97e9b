import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { hash20, sourceId } from '../../core/ids.js';
import type { JsonObject } from '../../core/model.js';
import { type AssertedEdge, type AssertedRule, edgeKey } from '../manifest/asserted.js';
import { NOTHING } from '../manifest/loads.js';
import type { SourceChange } from '../manifest/source-change.js';
import { findMerge } from '../merge/merge-log.js';
import { mergeConcepts, undoMerge } from '../merge/merge-writer.js';
import type { Writer } from '../tables.js';
import type { Effects } from '../types.js';
import { endpointHash } from '../write/endpoints.js';
import { applySources } from '../write/ingest.js';
import { saveSources } from '../write/source-rows.js';
import { activeEdits, findEdit, insertEdit, markUndone } from './edit-log.js';
import { type EdgeName, type EditBody, type EditRecord, edgeTarget, editsSource, ruleTarget } from './edit-types.js';
import { edgeFold, ruleFold } from './fold.js';

/** An edit that is to be made. */
export interface EditRequest {
  readonly body: EditBody;
  /** What is visible before it, for people. */
  readonly before: JsonObject;
}

/** An edit that was made or undone, with what it did to the visible graph. */
export interface EditEffects {
  readonly edit: EditRecord;
  readonly effects: Effects;
}

/** Adds an edit to the log and makes the graph agree with it. Messages are hidden by whoever calls. */
export async function makeEdit(w: Writer, request: EditRequest, now: string): Promise<EditEffects> {
  const source = await savedSource(w, now);
  const edit_id = hash20('edit', w.domain.name, randomUUID());
  if (request.body.type === 'merge') {
    const { merge, effects } = await mergeConcepts(w, { ...request.body, method: 'manual', score: 1 }, now);
    const body = { ...request.body, merge_id: merge.merge_id };
    const edit = { edit_id, body, before: { from: merge.from_name, into: merge.into_name }, created_at: now };
    await insertEdit(w.db, w.domain, edit);
    return { edit: { ...edit, domain: w.domain.name, undone_at: null }, effects };
  }
  const edit = { edit_id, ...request, created_at: now };
  await insertEdit(w.db, w.domain, edit);
  const effects = await renew(w, source, request.body);
  return { edit: (await findEdit(w.db, edit_id))!, effects };
}

/** Takes an edit back: the graph is as if it had never been made. */
export async function undoEdit(w: Writer, edit: EditRecord, now: string): Promise<EditEffects> {
  await markUndone(w.db, edit.edit_id, now);
  const undone = { ...edit, undone_at: now };
  w.state.touched = true;
  if (edit.body.type === 'merge') {
    const merge = edit.body.merge_id === undefined ? undefined : await findMerge(w.db, edit.body.merge_id);
    const effects = merge?.undone_at === null ? (await undoMerge(w, merge, now)).effects : NOTHING;
    await dropEditsSource(w);
    return { edit: undone, effects };
  }
  const effects = await renew(w, await savedSource(w, now), edit.body);
  await dropEditsSource(w);
  return { edit: undone, effects };
}

/** Saves the source that edits are assertions of; returns its number and public id. */
async function savedSource(w: Writer, updated_at: string): Promise<{ readonly ref: number; readonly id: string }> {
  const source = editsSource(w.domain.name);
  const id = sourceId(source);
  const refs = await saveSources(w, [{ id, manifest: { source, content_hash: updated_at } }], updated_at);
  return { ref: refs.get(id)!, id };
}

/** Removes the source where no edit counts any more: a domain without edits has none. */
export async function dropEditsSource({ db, domain }: Writer): Promise<void> {
  await sql`delete from source where id = ${sourceId(editsSource(domain.name))}
    and not exists (select 1 from edit where domain = ${domain.ref} and undone_at is null)`.execute(db);
}

/** Makes what `edits` asserts of the edit's targets agree with the log. */
async function renew(
  w: Writer,
  { ref, id }: { readonly ref: number; readonly id: string },
  body: EditBody,
): Promise<Effects> {
  const edges = new Map<string, AssertedEdge>();
  const rules = new Map<string, AssertedRule>();
  const retracted = { concepts: [] as string[], edges: [] as number[], rules: [] as number[] };
  switch (body.type) {
    case 'add_concept':
    case 'change_concept':
      return applySources(w, [], { reviewed: [body.id] });
    case 'add_edge':
    case 'change_edge':
    case 'remove_edge': {
      const relation = (body.type === 'change_edge' ? body.new_relation : undefined) ?? body.relation;
      const { source, target } = body;
      for (const name of [
        { source, relation: body.relation, target },
        { source, relation, target },
      ]) {
        const edge = await edgeOf(w, name);
        if (edge !== null) edges.set(edgeKey(edge), edge);
        else retracted.edges.push(...(await edgeRefs(w, ref, name)));
      }
      break;
    }
    case 'add_rule':
    case 'change_rule':
    case 'remove_rule': {
      const rule = await ruleOf(w, body.rule_id);
      if (rule !== null) rules.set(rule.id, rule);
      else retracted.rules.push(...(await ruleRefs(w, ref, body.rule_id)));
      break;
    }
    default:
      w.state.touched = true;
      return NOTHING;
  }
  const next = { concepts: new Map(), edges, rules, passages: new Map(), without: [] };
  const change: SourceChange = { ref, id, existed: true, append: true, retracted, next };
  return applySources(w, [change]);
}

/** Returns what `edits` asserts of an edge, null where that is nothing. */
async function edgeOf(w: Writer, name: EdgeName): Promise<AssertedEdge | null> {
  const target = edgeTarget(name);
  const fold = edgeFold(target, (await activeEdits(w.db, w.domain, [target])).get(target) ?? []);
  if (fold === null) return null;
  const { confidence = 1, properties = {} } = fold.is === 'removed' ? {} : fold;
  return { ...name, confidence, properties, edit: JSON.stringify(fold) };
}

async function ruleOf(w: Writer, id: string): Promise<AssertedRule | null> {
  const target = ruleTarget(id);
  const fold = ruleFold((await activeEdits(w.db, w.domain, [target])).get(target) ?? []);
  if (fold === null) return null;
  const { text = '', category = 'general', confidence = 1, concepts = null } = fold.is === 'removed' ? {} : fold;
  return { id, text, category, confidence, concepts, metadata: {}, edit: JSON.stringify(fold) };
}

async function edgeRefs(w: Writer, source: number, edge: EdgeName): Promise<number[]> {
  const { rows } = await sql<{
    ref: number;
  }>`select ref from edge where src_hash = ${endpointHash(w.domain, edge.source)}
    and +source = ${source} and src_end = ${edge.source} and dst_end = ${edge.target}
    and relation = ${edge.relation}`.execute(w.db);
  return rows.map((row) => row.ref);
}

async function ruleRefs(w: Writer, source: number, id: string): Promise<number[]> {
  const { rows } = await sql<{ ref: number }>`select ref from rule where id = ${id} and domain = ${w.domain.ref}
    and source = ${source}`.execute(w.db);
  return rows.map((row) => row.ref);
}
