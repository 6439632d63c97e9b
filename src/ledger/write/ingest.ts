import { forValues, GIVEN } from '../../backends/store/rows.js';
import { slicer } from '../../core/async/slices.js';
import { movedAliases } from '../edits/concept-edits.js';
import { compare } from '../manifest/asserted.js';
import { effectsOn } from '../manifest/node-changes.js';
import { type AboutChange, aboutChanges, samePassage } from '../manifest/passage-change.js';
import type { SourceChange } from '../manifest/source-change.js';
import { aliasChanges, movedMerges } from '../merge/plan-merges.js';
import type { Writer } from '../tables.js';
import type { Effects, Mentions } from '../types.js';
import { reresolvedHashes } from './endpoints.js';
import { resolveEntityNodes } from './entity-nodes.js';
import { conceptCounts, isActive, type KeyStep, keysByName, sweepKeys, writeAbout } from './key-table.js';
import { type ConceptPlan, planConcepts, type StoredConceptChange, writeConcepts } from './write-concepts.js';
import { assertedRows, writeEdges } from './write-edges.js';
import { type MentionedKeys, writeMentions } from './write-mentions.js';
import { type MentionUpdate, mentionUpdates, planPassages, removePassages, writePassages } from './write-passages.js';
import { newRules, writeRules } from './write-rules.js';

/**
 * Makes sources of one domain assert what they are to assert, each at most once, and makes the visible records agree
 * with it. First it reads and checks; from the first statement that writes on, only a broken store makes it fail.
 */
export async function applySources(
  w: Writer,
  changes: readonly SourceChange[],
  {
    rematched = [],
    reviewed = [],
  }: { readonly rematched?: Mentions | undefined; readonly reviewed?: readonly string[] } = {},
): Promise<Effects> {
  const concepts = await planConcepts(w, changes, reviewed);
  const passages = await planPassages(w, changes);
  const nodes = { concepts: concepts.changes, passages };
  const aliases = await aliasesAfter(w, concepts);
  const activity = await activityOf(w, [...aboutChanges(passages), ...aliases()], concepts.changes);
  w.state.touched = true;
  await writeConcepts(w, concepts);
  await writePassages(w, passages);
  // Once more: new passages have their numbers now.
  const named = [...aboutChanges(passages), ...aliases()];
  await writeAbout(w, named, activity);
  const mentioned = await writeMentions(w, [...mentionUpdates(passages), ...(await updatesOf(w, rematched))]);
  await resolveEntityNodes(w, mentioned, concepts.changes, aliases());
  await removePassages(w, passages);
  const moved = movedMerges(concepts.merges, refsIn(concepts));
  const renamed = { concepts: [...concepts.changes, ...moved, ...movedAliases(concepts.merges)], passages };
  const reresolved = await reresolvedHashes(w, renamed);
  await writeEdges(w, changes, reresolved);
  await writeRules(w, changes, { nodes: renamed, reresolved });
  const droppedKeys = named.filter((change) => change.after === null).map((c) => c.key);
  const dropped = await keysByName(w.db, w.domain.ref, droppedKeys);
  await sweepKeys(w, [...unmentioned(mentioned), ...dropped.map((row) => row.ref)]);
  return { ...effectsOn(nodes), keys: activity.flipped };
}

/** Returns the numbers of concepts by id, below 0 for those that are not written yet. */
function refsIn({ changes }: ConceptPlan): (id: string) => number {
  const byId = new Map(changes.map((change, i) => [change.id, { change, i }]));
  return (id) => {
    const found = byId.get(id);
    return found === undefined ? 0 : found.change.ref || -1 - found.i;
  };
}

/** Reads which names of merged concepts become or cease to be aliases; returns them with the numbers of the moment. */
async function aliasesAfter(w: Writer, concepts: ConceptPlan): Promise<() => AboutChange[]> {
  const early = refsIn(concepts);
  const ids = new Map(concepts.changes.map(({ id }) => [early(id), id]));
  const keys = new Map(concepts.changes.map(({ id, after }) => [early(id), after?.key]));
  const changes = await aliasChanges(w, concepts.merges, early, (ref) => keys.get(ref));
  return () => {
    const now = refsIn(concepts);
    return changes.map((change) => {
      const id = ids.get(change.node);
      return id === undefined ? change : { ...change, node: now(id) };
    });
  };
}

/** Returns whether a source that is added to asserts all of this already. */
export async function addsNothing(w: Writer, change: SourceChange): Promise<boolean> {
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
  const ids = passages.map((passage) => passage.id);
  const rows = await forValues(w.db, ids)<{ ref: number; id: string; mentions: Uint8Array; session: number }>`
    select n.ref, n.id, p.mentions, case when p.message is null then 0 else p.source end as session from ${GIVEN}
    join node n on n.id = given.v join passage p on p.node = n.ref where n.domain = ${w.domain.ref}`;
  const known = new Map(rows.map((row) => [row.id, row]));
  return passages.flatMap(({ id, mentions }) => {
    const row = known.get(id);
    if (row === undefined || (mentions.length === 0 && row.mentions.length === 0)) return [];
    return [{ ref: row.ref, id, before: row.mentions, mentions, removed: false, session: row.session }];
  });
}

/** Returns which keys become or cease to be active, from the counts before and the steps of this write; the keys as they were, and the steps. */
async function activityOf(w: Writer, about: readonly AboutChange[], concepts: readonly StoredConceptChange[]) {
  const pause = slicer();
  const steps = new Map<string, KeyStep & { concepts: number }>();
  const step = (key: string) => {
    const known = steps.get(key) ?? { titles: 0, aliases: 0, concepts: 0 };
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
    if (before !== null) step(before.key).concepts -= 1;
    if (after !== null) step(after.key).concepts += 1;
    await pause();
  }
  const keys = await keysByName(w.db, w.domain.ref, steps.keys());
  const rows = new Map(keys.map((row) => [row.key, row]));
  const counts = await conceptCounts(w.db, w.domain.ref, steps.keys());
  const named = new Map(counts.map(({ key, concepts: count }) => [key, count]));
  const flipped = [...steps].flatMap(([key, { titles, aliases, concepts: more }]) => {
    const row = rows.get(key);
    const [t, a] = [(row?.titles ?? 0) + (named.get(key) ?? 0), row?.aliases ?? 0];
    return isActive(t, a) === isActive(t + titles + more, a + aliases) ? [] : [key];
  });
  return { flipped: flipped.sort(compare), keys, steps };
}
