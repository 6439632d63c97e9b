import { sql } from 'kysely';
import { columnTypes, forRows, forValues, GIVEN, insertRows, type ValueRow } from '../../backends/store/rows.js';
import type { Db } from '../../backends/store/schema.js';
import { normaliseName } from '../../core/ids.js';
import type { Mention, Passage } from '../../core/model.js';
import { TABLES } from '../checkpoint/table-columns.js';
import {
  mentionsAfter,
  messageOf,
  type PassageChange,
  type PassageRow,
  sameFields,
  sameReading,
} from '../manifest/passage-change.js';
import { replacedRefs, type SourceChange, taken } from '../manifest/source-change.js';
import { passagePages } from '../read/passage-pages.js';
import { insertNodes, nodesById, PASSAGE, type Writer } from '../tables.js';

/** Reads the passages that the change touches; writes nothing. `conflict` where an id belongs to another source. */
export async function planPassages(w: Writer, changes: readonly SourceChange[]): Promise<PassageChange[]> {
  const appended = changes.filter((change) => change.existed && change.append);
  const old = await passagesOf(w.db, replacedRefs(changes));
  const ids = appended.flatMap(({ next }) => [...(next?.passages.keys() ?? []), ...(next?.without ?? [])]);
  const given = await forValues(w.db, ids)<PassageRow>`
    select ${PASSAGE_ROW} from ${GIVEN} join node n on n.id = given.v join passage p on p.node = n.ref`;
  const known = new Map([...old, ...given].map((row) => [row.id, row]));
  const plans = new Map<string, PassageChange>();
  const fresh: string[] = [];
  for (const { ref: source, next } of changes) {
    for (const [id, after] of next?.passages ?? []) {
      const before = known.get(id) ?? null;
      const isOther = before !== null && before.source !== source;
      if (isOther || plans.has(id) || next?.concepts.has(id) === true) throw taken(id);
      if (before === null) fresh.push(id);
      plans.set(id, { ref: before?.ref ?? 0, id, source, before, after, reread: !sameReading(before, after) });
    }
  }
  const [other] = await nodesById(w.db, fresh);
  if (other !== undefined) throw taken(other.id);
  const lost = appended.flatMap(({ ref: source, next }) =>
    (next?.without ?? []).flatMap((id) => known.get(id) ?? []).filter((row) => row.source === source),
  );
  for (const before of [...old, ...lost]) {
    const { ref, id, source } = before;
    if (!plans.has(id)) plans.set(id, { ref, id, source, before, after: null, reread: false });
  }
  return [...plans.values()];
}

async function passagesOf(db: Db, sources: readonly number[]): Promise<PassageRow[]> {
  const counts = await forValues(db, sources)<{ source: number; n: number }>`
    select p.source, count(*) as n from ${GIVEN} join passage p on p.source = given.v group by p.source`;
  const found: PassageRow[] = [];
  const read = { columns: PASSAGE_ROW, join: sql`join node n on n.ref = p.node` };
  for await (const page of passagePages(db, new Map(counts.map(({ source, n }) => [source, Number(n)])), read)) {
    for (const row of page) found.push(row);
  }
  return found;
}

const PASSAGE_ROW = sql<PassageRow>`n.ref, n.id, p.source, n.name as title, p.text, p.sentences, p.about, p.message, p.ord, p.mentions`;

/** Writes new and changed passages; `removePassages` deletes the rows of removed ones. */
export async function writePassages(w: Writer, plans: readonly PassageChange[]): Promise<void> {
  const fresh = plans.filter((plan) => plan.before === null);
  const nodes = fresh.map(({ id, source, after }) => {
    return [id, 0, '', normaliseName(after!.title), after!.title, 1, source] as const;
  });
  const refs = await insertNodes(w, PASSAGE, nodes);
  for (const plan of fresh) plan.ref = refs.get(plan.id)!;
  await insertRows(w.db, 'passage', {
    columns: TABLES.passage.columns,
    rows: fresh.map(({ ref, source, after }) => [ref, source, ...fieldsOf(after!), new Uint8Array(0)]),
  });
  const updated = plans.filter(({ before, after }) => before !== null && after !== null && !sameFields(before, after));
  const fields = updated.map(({ ref, after }) => [ref, ...fieldsOf(after!)]);
  await forRows(w.db, PASSAGE_UPDATE, fields)`
    update passage set ord = given.ord, text = given.text, sentences = given.sentences, about = given.about,
    message = given.message from ${GIVEN} where passage.node = given.node`;
  for (const plan of plans) if (plan.before !== null && plan.after !== null) w.state.change.records.add(plan.ref);
  const renamed = plans.filter(
    ({ before, after }) => before !== null && after !== null && before.title !== after.title,
  );
  const titles = renamed.map(({ ref, after }) => [ref, normaliseName(after!.title), after!.title]);
  await forRows(w.db, { ref: 'int', norm: 'text', name: 'text' }, titles)`
    update node set norm = given.norm, name = given.name from ${GIVEN} where node.ref = given.ref`;
}

export async function removePassages(w: Writer, plans: readonly PassageChange[]): Promise<void> {
  const removed = plans.filter((plan) => plan.after === null);
  for (const { ref, id } of removed) w.state.change.removeNode(ref, id);
  const refs = removed.map((plan) => plan.ref);
  w.state.count(w.domain.ref).passages -= refs.length;
  await forValues(w.db, refs)`delete from passage where node in (select v from ${GIVEN})`;
  await forValues(w.db, refs)`delete from node where ref in (select v from ${GIVEN})`;
}

export interface MentionUpdate {
  readonly ref: number;
  readonly id: string;
  readonly before: Uint8Array;
  readonly mentions: readonly Mention[];
  /** The passage itself is removed. */
  readonly removed: boolean;
  /** Number of the session that the passage is a message of; 0 for other passages. */
  readonly session: number;
}

/** Returns the passages whose mentions a write changes. */
export function mentionUpdates(plans: readonly PassageChange[]): MentionUpdate[] {
  return plans.flatMap((plan) => {
    const old = plan.before?.mentions ?? new Uint8Array(0);
    const mentions = mentionsAfter(plan);
    if (mentions === null || (mentions.length === 0 && old.length === 0)) return [];
    const isMessage = plan.after?.message !== undefined || (plan.before?.message ?? null) !== null;
    const session = isMessage ? plan.source : 0;
    return [{ ref: plan.ref, id: plan.id, before: old, mentions, removed: plan.after === null, session }];
  });
}

function fieldsOf(passage: Passage): ValueRow {
  const { order, text, sentences, about } = passage;
  return [order, text, JSON.stringify(sentences), JSON.stringify(about), messageOf(passage)];
}

const PASSAGE_UPDATE = columnTypes('node int, ord int, text text, sentences text, about text, message text');
