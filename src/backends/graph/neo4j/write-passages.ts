import { normaliseName } from '../../../core/ids.js';
import type { AboutKey, Mention, Passage } from '../../../core/model.js';
import { fnv1a } from '../../../core/random.js';
import { aboutKeys } from '../asserted.js';
import { replacedIds, type SourceChange, shortNorm, taken } from './changes.js';
import type { Writer } from './writer.js';

/** A passage as it lies in the graph; what has parts is JSON. */
export interface PassageRow {
  readonly id: string;
  readonly source_id: string;
  readonly title: string;
  readonly text: string;
  readonly sentences: string;
  readonly about: string;
  readonly message: string | null;
  readonly ord: number;
  readonly mentions: string;
  readonly [column: string]: unknown;
}

/** A passage before and after a write. */
export interface PassageChange {
  readonly id: string;
  readonly source: string;
  readonly before: PassageRow | null;
  readonly after: Passage | null;
  /** True where its title, text or sentences are other than before, so that it must be indexed and matched again. */
  readonly reread: boolean;
}

export const PASSAGE_ROW = `p.id AS id, p.source_id AS source_id, p.name AS title, p.description AS text,
  p.sentences AS sentences, p.about AS about, p.message AS message, p.ord AS ord, p.mentions AS mentions`;

/** Reads the passages that the change touches; writes nothing. `conflict` where an id belongs to somebody else. */
export async function planPassages(w: Writer, changes: readonly SourceChange[]): Promise<PassageChange[]> {
  const { state } = w;
  const old = await state.each<PassageRow>(
    `UNWIND $rows AS id MATCH (:Source {id: id})-[:CONTAINS]->(p:Passage) RETURN ${PASSAGE_ROW}`,
    replacedIds(changes),
  );
  const rows = new Map(old.map((row) => [row.id, row]));
  const unread = changes.flatMap((change) => [...(change.next?.passages.keys() ?? [])]).filter((id) => !rows.has(id));
  const others = await state.each<PassageRow & { passage: boolean }>(
    `UNWIND $rows AS id MATCH (p:Node {id: id}) RETURN ${PASSAGE_ROW}, p:Passage AS passage`,
    unread,
  );
  for (const row of others) {
    if (!row.passage) throw taken(row.id);
    rows.set(row.id, row);
  }
  const plans: PassageChange[] = [];
  const seen = new Set<string>();
  for (const change of changes) {
    for (const after of change.next?.passages.values() ?? []) {
      const before = rows.get(after.id) ?? null;
      if (seen.has(after.id) || (before !== null && before.source_id !== change.id)) throw taken(after.id);
      if (change.next?.concepts.has(after.id) === true) throw taken(after.id);
      seen.add(after.id);
      plans.push({ id: after.id, source: change.id, before, after, reread: !sameReading(before, after) });
    }
  }
  for (const before of old) {
    if (seen.has(before.id)) continue;
    plans.push({ id: before.id, source: before.source_id, before, after: null, reread: false });
  }
  return plans;
}

function sameReading(before: PassageRow | null, after: Passage): boolean {
  return before !== null && before.title === after.title && sameText(before, after);
}

function sameText(before: PassageRow, after: Passage): boolean {
  return before.text === after.text && before.sentences === JSON.stringify(after.sentences);
}

/** Whether a write leaves a passage as it is. */
export function samePassage({ before, after }: PassageChange): boolean {
  if (before === null || after === null || after.mentions !== undefined) return false;
  return before.title === after.title && sameFields(before, after);
}

function sameFields(before: PassageRow, after: Passage): boolean {
  const now = fieldsOf(after);
  return (['ord', 'text', 'sentences', 'about', 'message'] as const).every((field) => now[field] === before[field]);
}

function fieldsOf(passage: Passage) {
  return {
    ord: passage.order,
    text: passage.text,
    sentences: JSON.stringify(passage.sentences),
    about: JSON.stringify(passage.about),
    message: passage.message === undefined ? null : JSON.stringify(passage.message),
  };
}

/** Writes new and changed passages; removed ones go with `removePassages`. */
export async function writePassages({ state, domain }: Writer, plans: readonly PassageChange[]): Promise<void> {
  const rows = plans.flatMap(({ id, source, before, after }) => {
    if (after === null || (before !== null && before.title === after.title && sameFields(before, after))) return [];
    const { ord, text, ...rest } = fieldsOf(after);
    const fields = { id, name: after.title, norm: normaliseName(after.title), description: text, ...rest };
    return [{ id, source, fresh: before === null, ord, fields }];
  });
  const fresh = rows
    .filter((row) => row.fresh)
    .map((row) => {
      const own = { domain, confidence: 1, source_id: row.source, mentions: '[]', short: shortNorm(domain, row.id) };
      return { ...row, fields: { ...row.fields, ...own }, hash: fnv1a(row.id) };
    });
  state.count(domain).passages += fresh.length;
  await state.each(
    `UNWIND $rows AS row MATCH (s:Source {id: row.source}) CREATE (s)-[:CONTAINS]->(p:Node:Passage)
     SET p = row.fields, p.ord = toInteger(row.ord), p.hash = toInteger(row.hash)`,
    fresh,
  );
  await state.each(
    'UNWIND $rows AS row MATCH (p:Node {id: row.id}) SET p += row.fields, p.ord = toInteger(row.ord)',
    rows.filter((row) => !row.fresh),
  );
}

/** Removes passages that are gone. */
export async function removePassages({ state, domain }: Writer, plans: readonly PassageChange[]): Promise<void> {
  const gone = plans.filter((plan) => plan.after === null).map((plan) => plan.id);
  state.count(domain).passages -= gone.length;
  await state.each('UNWIND $rows AS id MATCH (p:Node {id: id}) DETACH DELETE p', gone);
}

export interface MentionUpdate {
  readonly id: string;
  readonly before: readonly Mention[];
  readonly mentions: readonly Mention[];
  /** The passage itself goes. */
  readonly gone: boolean;
}

/** Passages whose mentions a write changes: given ones are taken, those of a text that changed or goes are dropped. */
export function mentionUpdates(plans: readonly PassageChange[]): MentionUpdate[] {
  return plans.flatMap(({ id, before, after }) => {
    const old = before === null ? [] : (JSON.parse(before.mentions) as Mention[]);
    const kept = before !== null && after !== null && sameText(before, after);
    const mentions = after?.mentions ?? (kept ? null : []);
    if (mentions === null || (mentions.length === 0 && old.length === 0)) return [];
    return [{ id, before: old, mentions, gone: after === null }];
  });
}

export interface AboutChange {
  readonly key: string;
  readonly node: string;
  /** True alias, false title, null not about it. */
  readonly before: boolean | null;
  readonly after: boolean | null;
}

/** How what passages are about changes. */
export function aboutChanges(plans: readonly PassageChange[]): AboutChange[] {
  return plans.flatMap(({ id, before, after }) => {
    const old = aboutKeys(before === null ? [] : (JSON.parse(before.about) as AboutKey[]));
    const now = aboutKeys(after?.about ?? []);
    return [...new Set([...old.keys(), ...now.keys()])].flatMap((key) => {
      const change = { key, node: id, before: old.get(key) ?? null, after: now.get(key) ?? null };
      return change.before === change.after ? [] : [change];
    });
  });
}
