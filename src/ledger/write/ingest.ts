import { sql } from 'kysely';
import { withValues } from '../../backends/store/rows.js';
import { slicer } from '../../core/slices.js';
import { compare } from '../manifest/asserted.js';
import type { Effects } from '../manifest/loads.js';
import { effectsOn } from '../manifest/node-changes.js';
import { type AboutChange, aboutChanges, samePassage } from '../manifest/passage-change.js';
import type { Writer } from '../tables.js';
import type { Mentions } from '../types.js';
import { reresolvedHashes } from './endpoints.js';
import { resolveEntityNodes } from './entity-nodes.js';
import { conceptCounts, isActive, keysByName, sweepKeys, writeAbout } from './key-table.js';
import type { StoredSourceChange } from './source-change.js';
import { planConcepts, type StoredConceptChange, writeConcepts } from './write-concepts.js';
import { assertedRows, writeEdges } from './write-edges.js';
import { type MentionedKeys, writeMentions } from './write-mentions.js';
import {
  type MentionUpdate,
  mentionUpdates,
  planPassages,
  refOf,
  removePassages,
  writePassages,
} from './write-passages.js';
import { newRules, writeRules } from './write-rules.js';

/**
 * Makes sources of one domain assert what they are to assert, each at most once, and makes the visible records agree
 * with it. First it reads and checks; from the first statement that writes on, only a broken store makes it fail.
 */
export async function applySources(
  w: Writer,
  changes: readonly StoredSourceChange[],
  rematched: Mentions = [],
): Promise<Effects> {
  const concepts = await planConcepts(w, changes);
  const passages = await planPassages(w, changes);
  const nodes = { concepts: concepts.changes, passages };
  const activity = await activityOf(w, aboutChanges(passages, refOf), concepts.changes);
  w.state.touched = true;
  await writeConcepts(w, concepts);
  await writePassages(w, passages);
  // Once more: new passages have their numbers now.
  const named = aboutChanges(passages, refOf);
  await writeAbout(w, named);
  const mentioned = await writeMentions(w, [...mentionUpdates(passages), ...(await updatesOf(w, rematched))]);
  await resolveEntityNodes(w, mentioned, concepts.changes);
  await removePassages(w, passages);
  const reresolved = await reresolvedHashes(w, nodes);
  await writeEdges(w, changes, reresolved);
  await writeRules(w, changes, { nodes, reresolved });
  const dropped = await keysByName(
    w.db,
    w.domain.ref,
    named.filter((change) => change.after === null).map((c) => c.key),
  );
  await sweepKeys(w, [...unmentioned(mentioned), ...dropped.map((row) => row.ref)]);
  return { ...effectsOn(nodes), keys: activity.flipped };
}

/** Returns whether a source that is added to asserts all of this already. */
export async function addsNothing(w: Writer, change: StoredSourceChange): Promise<boolean> {
  const concepts = await planConcepts(w, [change]);
  const passages = await planPassages(w, [change]);
  if (concepts.rows.length > 0 || !passages.every(samePassage)) return false;
  return (await assertedRows(w, [change], [])).length === 0 && (await newRules(w, [change])).length === 0;
}

/** Replaces the mentions of passages that exist. */
export async function applyMentions(w: Writer, passages: Mentions): Promise<void> {
  const updates = await updatesOf(w, passages);
  if (updates.length === 0) return;
  w.state.touched = true;
  const mentioned = await writeMentions(w, updates);
  await resolveEntityNodes(w, mentioned, []);
  await sweepKeys(w, unmentioned(mentioned));
}

function unmentioned({ keys }: MentionedKeys): number[] {
  return [...keys.values()].filter((row) => row.mentions === 0).map((row) => row.ref);
}

async function updatesOf(w: Writer, passages: Mentions): Promise<MentionUpdate[]> {
  const rows = await withValues(
    w.db,
    passages.map((passage) => passage.id),
    (given) => sql<{ ref: number; id: string; mentions: Uint8Array; session: number }>`
      select n.ref, n.id, p.mentions, case when p.message is null then 0 else p.source end as session from ${given}
      join node n on n.id = given.v join passage p on p.node = n.ref where n.domain = ${w.domain.ref}`,
  );
  const known = new Map(rows.map((row) => [row.id, row]));
  return passages.flatMap(({ id, mentions }) => {
    const row = known.get(id);
    if (row === undefined || (mentions.length === 0 && row.mentions.length === 0)) return [];
    return [{ ref: row.ref, id, before: row.mentions, mentions, removed: false, session: row.session }];
  });
}

/** Returns which keys become or cease to be active, from the counts before and the steps of this write. */
async function activityOf(w: Writer, about: readonly AboutChange<number>[], concepts: readonly StoredConceptChange[]) {
  const pause = slicer();
  const steps = new Map<string, { titles: number; aliases: number }>();
  const step = (key: string): { titles: number; aliases: number } => {
    const known = steps.get(key) ?? { titles: 0, aliases: 0 };
    steps.set(key, known);
    return known;
  };
  for (const { key, before, after } of about) {
    if (before !== null) step(key)[before ? 'aliases' : 'titles'] -= 1;
    if (after !== null) step(key)[after ? 'aliases' : 'titles'] += 1;
    await pause();
  }
  for (const { before, after } of concepts) {
    if (before?.key === after?.key) continue;
    if (before !== null) step(before.key).titles -= 1;
    if (after !== null) step(after.key).titles += 1;
    await pause();
  }
  const rows = new Map((await keysByName(w.db, w.domain.ref, steps.keys())).map((row) => [row.key, row]));
  const counts = await conceptCounts(w.db, w.domain.ref, steps.keys());
  const named = new Map(counts.map(({ key, concepts: count }) => [key, count]));
  const flipped = [...steps].flatMap(([key, { titles, aliases }]) => {
    const row = rows.get(key);
    const [t, a] = [(row?.titles ?? 0) + (named.get(key) ?? 0), row?.aliases ?? 0];
    return isActive(t, a) === isActive(t + titles, a + aliases) ? [] : [key];
  });
  return { flipped: flipped.sort(compare) };
}
