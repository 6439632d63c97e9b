import { sql } from 'kysely';
import { normaliseName } from '../../../core/ids.js';
import type { AboutKey, Mention, Passage } from '../../../core/model.js';
import { fnv1a } from '../../../core/random.js';
import { aboutKeys } from '../asserted.js';
import { insertRows, type Row, withRows, withValues } from './rows.js';
import type { SourceChange } from './source-change.js';
import { nodesById, PASSAGE, taken, type Writer } from './tables.js';

interface PassageRow {
  readonly ref: number;
  readonly id: string;
  readonly source: number;
  readonly title: string;
  readonly text: string;
  readonly sentences: string;
  readonly about: string;
  readonly message: string | null;
  readonly ord: number;
  readonly mentions: Uint8Array;
}

/** A passage before and after a write. */
export interface PassageChange {
  ref: number;
  readonly id: string;
  readonly source: number;
  readonly before: PassageRow | null;
  readonly after: Passage | null;
  /** True where its title, text or sentences are other than before, so that it must be indexed and matched again. */
  readonly reread: boolean;
}

/** Reads the passages that the change touches; writes nothing. `conflict` where an id belongs to somebody else. */
export async function planPassages(w: Writer, changes: readonly SourceChange[]): Promise<PassageChange[]> {
  const replaced = changes.filter((change) => change.existed && !change.append).map((change) => change.ref);
  const appended = changes.filter((change) => change.existed && change.append);
  const old = await withValues(
    w.db,
    replaced,
    (given) => sql<PassageRow>`select ${PASSAGE_ROW} from ${given} join passage p on p.source = given.v
      join node n on n.ref = p.node`,
  );
  const known = await withValues(
    w.db,
    appended.flatMap((change) => [...(change.next?.passages.keys() ?? [])]),
    (given) => sql<PassageRow>`select ${PASSAGE_ROW} from ${given} join node n on n.id = given.v
      join passage p on p.node = n.ref`,
  );
  const rows = new Map([...old, ...known].map((row) => [row.id, row]));
  const plans: PassageChange[] = [];
  const fresh: string[] = [];
  const seen = new Set<string>();
  for (const change of changes) {
    for (const after of change.next?.passages.values() ?? []) {
      const before = rows.get(after.id) ?? null;
      if (seen.has(after.id) || (before !== null && before.source !== change.ref)) throw taken(after.id);
      if (change.next?.concepts.has(after.id) === true) throw taken(after.id);
      seen.add(after.id);
      if (before === null) fresh.push(after.id);
      plans.push({
        ref: before?.ref ?? 0,
        id: after.id,
        source: change.ref,
        before,
        after,
        reread: !sameReading(before, after),
      });
    }
  }
  const [other] = await nodesById(w.db, fresh);
  if (other !== undefined) throw taken(other.id);
  for (const before of old) {
    if (seen.has(before.id)) continue;
    plans.push({ ref: before.ref, id: before.id, source: before.source, before, after: null, reread: false });
  }
  return plans;
}

const PASSAGE_ROW = sql`n.ref, n.id, p.source, n.name as title, p.text, p.sentences, p.about, p.message, p.ord, p.mentions`;

function sameReading(before: PassageRow | null, after: Passage): boolean {
  if (before === null) return false;
  return before.title === after.title && sameText(before, after);
}

function sameText(before: PassageRow, after: Passage): boolean {
  return before.text === after.text && before.sentences === JSON.stringify(after.sentences);
}

/** Writes new and changed passages; the rows of removed ones go with `removePassages`. */
export async function writePassages(w: Writer, plans: readonly PassageChange[]): Promise<void> {
  const fresh = plans.filter((plan) => plan.before === null);
  const made = await insertRows(w.db, 'node', {
    columns: NODE_INSERT,
    rows: fresh.map(({ id, source, after }): Row => {
      return [id, w.domain.ref, fnv1a(id), PASSAGE, 0, '', normaliseName(after!.title), after!.title, 1, source];
    }),
    tail: sql`returning ref, id`,
  });
  const refs = new Map((made as Array<{ ref: number; id: string }>).map(({ ref, id }) => [id, ref]));
  for (const plan of fresh) {
    plan.ref = refs.get(plan.id)!;
    w.state.change.nodes.set(plan.ref, { domain: w.domain.ref, kind: PASSAGE, hash: fnv1a(plan.id) });
  }
  w.state.count(w.domain.ref).passages += fresh.length;
  await insertRows(w.db, 'passage', {
    columns: PASSAGE_INSERT,
    rows: fresh.map(({ ref, source, after }) => [ref, source, ...fieldsOf(after!), new Uint8Array(0)]),
  });
  const updated = plans.filter(({ before, after }) => before !== null && after !== null && !sameFields(before, after));
  await withRows(
    w.db,
    { columns: PASSAGE_UPDATE, rows: updated.map(({ ref, after }) => [ref, ...fieldsOf(after!)]) },
    (given) => sql`update passage set ord = given.ord, text = given.text, sentences = given.sentences,
      about = given.about, message = given.message from ${given} where passage.node = given.node`,
  );
  const renamed = plans.filter(
    ({ before, after }) => before !== null && after !== null && before.title !== after.title,
  );
  await withRows(
    w.db,
    {
      columns: { ref: 'int', norm: 'text', name: 'text' },
      rows: renamed.map(({ ref, after }) => [ref, normaliseName(after!.title), after!.title]),
    },
    (given) => sql`update node set norm = given.norm, name = given.name from ${given} where node.ref = given.ref`,
  );
}

/** Removes the rows of passages that are gone. */
export async function removePassages(w: Writer, plans: readonly PassageChange[]): Promise<void> {
  const gone = plans.filter((plan) => plan.after === null).map((plan) => plan.ref);
  for (const ref of gone) w.state.change.nodes.set(ref, null);
  w.state.count(w.domain.ref).passages -= gone.length;
  await withValues(w.db, gone, (given) => sql`delete from passage where node in (select v from ${given})`);
  await withValues(w.db, gone, (given) => sql`delete from node where ref in (select v from ${given})`);
}

export interface MentionUpdate {
  readonly ref: number;
  readonly id: string;
  readonly before: Uint8Array;
  readonly mentions: readonly Mention[];
  /** The passage itself goes. */
  readonly gone: boolean;
}

/** Passages whose mentions a write changes: given ones are taken, those of a text that changed or goes are dropped. */
export function mentionUpdates(plans: readonly PassageChange[]): MentionUpdate[] {
  return plans.flatMap(({ ref, id, before, after }) => {
    const old = before?.mentions ?? new Uint8Array(0);
    const kept = before !== null && after !== null && sameText(before, after);
    const mentions = after?.mentions ?? (kept ? null : []);
    if (mentions === null || (mentions.length === 0 && old.length === 0)) return [];
    return [{ ref, id, before: old, mentions, gone: after === null }];
  });
}

export interface AboutChange {
  readonly key: string;
  readonly node: number;
  /** True alias, false title, null not about it. */
  readonly before: boolean | null;
  readonly after: boolean | null;
}

/** How what passages are about changes. */
export function aboutChanges(plans: readonly PassageChange[]): AboutChange[] {
  return plans.flatMap(({ ref, before, after }) => {
    const old = aboutKeys(before === null ? [] : (JSON.parse(before.about) as AboutKey[]));
    const now = aboutKeys(after?.about ?? []);
    return [...new Set([...old.keys(), ...now.keys()])].flatMap((key) => {
      const change = { key, node: ref, before: old.get(key) ?? null, after: now.get(key) ?? null };
      return change.before === change.after ? [] : [change];
    });
  });
}

function fieldsOf(passage: Passage): Row {
  const message = passage.message === undefined ? null : JSON.stringify(passage.message);
  return [passage.order, passage.text, JSON.stringify(passage.sentences), JSON.stringify(passage.about), message];
}

/** Whether a write leaves a passage as it is. */
export function samePassage({ before, after }: PassageChange): boolean {
  if (before === null || after === null || after.mentions !== undefined) return false;
  return before.title === after.title && sameFields(before, after);
}

function sameFields(before: PassageRow, after: Passage): boolean {
  const now = [before.ord, before.text, before.sentences, before.about, before.message];
  return fieldsOf(after).every((value, i) => value === now[i]);
}

const NODE_INSERT = {
  id: 'text',
  domain: 'int',
  hash: 'int',
  kind: 'int',
  own: 'int',
  key: 'text',
  norm: 'text',
  name: 'text',
  confidence: 'real',
  shown: 'int',
} as const;

const PASSAGE_INSERT = {
  node: 'int',
  source: 'int',
  ord: 'int',
  text: 'text',
  sentences: 'text',
  about: 'text',
  message: 'text',
  mentions: 'blob',
} as const;

const PASSAGE_UPDATE = {
  node: 'int',
  ord: 'int',
  text: 'text',
  sentences: 'text',
  about: 'text',
  message: 'text',
} as const;
