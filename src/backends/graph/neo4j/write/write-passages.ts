import { normaliseName } from '../../../../core/ids.js';
import type { Mention, Passage } from '../../../../core/model.js';
import { fnv1a } from '../../../../core/random.js';
import { shortNorm } from '../../../../ledger/manifest/ends.js';
import {
  type PassageChange as Change,
  eachPassage,
  lostPassages,
  mentionsAfter,
  messageOf,
  type PassageFields,
  sameFields,
  sameReading,
} from '../../../../ledger/manifest/passage-change.js';
import { replacedIds, type SourceChange, taken } from '../../../../ledger/manifest/source-change.js';
import type { Writer } from './writer.js';

export interface PassageRow extends PassageFields {
  readonly source_id: string;
  readonly mentions: string;
  readonly [column: string]: unknown;
}

/** A passage before and after a write, with its source's public id. */
export interface PassageChange extends Change<PassageRow> {
  readonly source: string;
}

const PASSAGE_ROW = `p.id AS id, p.source_id AS source_id, p.name AS title, p.description AS text,
  p.sentences AS sentences, p.about AS about, p.message AS message, p.ord AS ord, p.mentions AS mentions`;

/** Reads the passages that the change touches; writes nothing. `conflict` where an id belongs to somebody else. */
export async function planPassages(w: Writer, changes: readonly SourceChange[]): Promise<PassageChange[]> {
  const { state } = w;
  const old = await state.each<PassageRow>(
    `UNWIND $rows AS id MATCH (:Source {id: id})-[:CONTAINS]->(p:Passage) RETURN ${PASSAGE_ROW}`,
    replacedIds(changes),
  );
  const rows = new Map(old.map((row) => [row.id, row]));
  const given = new Set(changes.flatMap((change) => [...(change.next?.passages.keys() ?? [])]));
  const lost = changes.flatMap((change) => change.next?.without ?? []);
  const unread = [...new Set([...given, ...lost])].filter((id) => !rows.has(id));
  const others = await state.each<PassageRow & { passage: boolean }>(
    `UNWIND $rows AS id MATCH (p:Node {id: id}) RETURN ${PASSAGE_ROW}, p:Passage AS passage`,
    unread,
  );
  for (const row of others) {
    if (row.passage) rows.set(row.id, row);
    else if (given.has(row.id)) throw taken(row.id);
  }
  const plans: PassageChange[] = [];
  const held = { known: rows, owns: (change: SourceChange, row: PassageRow) => row.source_id === change.id };
  const seen = eachPassage(changes, {
    ...held,
    take: ({ id: source }, before, after) => {
      plans.push({ id: after.id, source, before, after, reread: !sameReading(before, after) });
    },
  });
  for (const before of [...old, ...lostPassages(changes, { ...held, seen })]) {
    if (seen.has(before.id)) continue;
    plans.push({ id: before.id, source: before.source_id, before, after: null, reread: false });
  }
  return plans;
}

function fieldsOf(passage: Passage) {
  return {
    ord: passage.order,
    text: passage.text,
    sentences: JSON.stringify(passage.sentences),
    about: JSON.stringify(passage.about),
    message: messageOf(passage),
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

/** Passages whose mentions a write changes. */
export function mentionUpdates(plans: readonly PassageChange[]): MentionUpdate[] {
  return plans.flatMap((plan) => {
    const old = plan.before === null ? [] : (JSON.parse(plan.before.mentions) as Mention[]);
    const mentions = mentionsAfter(plan);
    if (mentions === null || (mentions.length === 0 && old.length === 0)) return [];
    return [{ id: plan.id, before: old, mentions, gone: plan.after === null }];
  });
}
