import { sql } from 'kysely';
import { forRows, GIVEN, insertRows, type ValueRow } from '../../backends/store/rows.js';
import { forEachInSlices, mapInSlices } from '../../core/async/slices.js';
import { sortInSlices } from '../../core/async/sort-in-slices.js';
import type { Mention } from '../../core/model.js';
import { countKeys, packMentions, usualName } from '../mention-blob.js';
import type { Writer } from '../tables.js';
import { ensureKeys, type KeyRow, keysByRef } from './key-table.js';
import { type SessionStep, stepSessionKeys } from './session-keys.js';
import type { MentionUpdate } from './write-passages.js';

/** The passage that would give an entity its name: the one with the lowest id, by its first mention. */
export interface Namer {
  readonly ref: number;
  readonly id: string;
  readonly name: string;
}

/** Keys whose mentions a write touched. */
export interface MentionedKeys {
  /** By number, with the mentions they have now. */
  readonly keys: Map<number, KeyRow & { readonly mentionsBefore: number }>;
  /** By key number: the best namer among the passages of this write. */
  readonly namers: Map<number, Namer>;
  /** The passages of this write. */
  readonly passages: ReadonlySet<number>;
}

/** Replaces the mentions of passages, as blob and pairs. `resolveEntityNodes` writes what changes of the keys. */
export async function writeMentions(w: Writer, updates: readonly MentionUpdate[]): Promise<MentionedKeys> {
  const names = new Set<string>();
  await forEachInSlices(updates, ({ mentions }) => {
    for (const { key } of mentions) names.add(key);
  });
  const byName = await ensureKeys(w, names);
  const keys = new Map<number, KeyRow & { readonly mentionsBefore: number }>();
  const keep = (row: KeyRow): void => void keys.set(row.ref, { ...row, mentionsBefore: row.mentions });
  await forEachInSlices(byName.values(), keep);
  const olds = await mapInSlices(updates, (update) => countKeys(update.before));
  const unknown = new Set<number>();
  await forEachInSlices(olds, (old) => {
    for (const ref of old.keys()) if (!keys.has(ref)) unknown.add(ref);
  });
  await forEachInSlices(await keysByRef(w.db, unknown), keep);

  const removedPairs: ValueRow[] = [];
  const set: ValueRow[] = [];
  const blobs: ValueRow[] = [];
  const sessions: SessionStep[] = [];
  const usual = new Map<string, string>();
  const namers = new Map<number, Namer>();
  for (const [i, update] of updates.entries()) {
    const old = olds[i]!;
    const now = new Map<number, number>();
    for (const mention of update.mentions) {
      const { ref } = byName.get(mention.key)!;
      now.set(ref, (now.get(ref) ?? 0) + 1);
      const known = namers.get(ref);
      if (known === undefined || update.id < known.id)
        namers.set(ref, { ref: update.ref, id: update.id, name: mention.name });
    }
    for (const key of old.keys()) {
      if (now.has(key)) continue;
      removedPairs.push([key, update.ref]);
      if (update.session !== 0) sessions.push({ source: update.session, key, step: -1 });
      keys.get(key)!.mentions -= 1;
    }
    for (const [key, tf] of now) {
      if (old.get(key) === tf) continue;
      set.push([key, update.ref, tf]);
      if (old.has(key)) continue;
      keys.get(key)!.mentions += 1;
      if (update.session !== 0) sessions.push({ source: update.session, key, step: 1 });
    }
    if (update.removed) continue;
    w.state.change.mentions.set(update.ref, now);
    blobs.push([update.ref, packed(update.mentions, byName, usual)]);
    await w.state.pause();
  }
  await forRows(w.db, { key: 'int', passage: 'int' }, removedPairs)`
    delete from mention where (key, passage) in (select key, passage from ${GIVEN})`;
  await insertRows(w.db, 'mention', {
    columns: { key: 'int', passage: 'int', tf: 'int' },
    // In the order of the table: neighbours land on the same page.
    rows: await sortInSlices(set, (a, b) => (a[0] as number) - (b[0] as number)),
    tail: sql`on conflict (key, passage) do update set tf = excluded.tf`,
  });
  await forRows(w.db, { node: 'int', body: 'blob' }, blobs)`
    update passage set mentions = given.body from ${GIVEN} where passage.node = given.node`;
  await stepSessionKeys(w.db, sessions);
  return { keys, namers, passages: new Set(updates.map((update) => update.ref)) };
}

function packed(
  mentions: readonly Mention[],
  keys: ReadonlyMap<string, KeyRow>,
  usual: Map<string, string>,
): Uint8Array {
  return packMentions(
    mentions.map(({ key, name, sentence, token, length }) => {
      const expected = usual.get(key) ?? usualName(key);
      usual.set(key, expected);
      return { key: keys.get(key)!.ref, sentence, token, length, name: name === expected ? null : name };
    }),
  );
}
