import type { Mention } from '../../../../core/model.js';
import { compare } from '../../../../ledger/manifest/asserted.js';
import type { ConceptChange } from '../../../../ledger/manifest/concept-change.js';
import type { Effects } from '../../../../ledger/manifest/loads.js';
import { effectsOn } from '../../../../ledger/manifest/node-changes.js';
import { aboutChanges, samePassage } from '../../../../ledger/manifest/passage-change.js';
import { replacedIds, type SourceChange } from '../../../../ledger/manifest/source-change.js';
import type { Mentions } from '../../port.js';
import { activeAmong } from '../read/read-keys.js';
import { planTurning } from './edges-at.js';
import { settleKeys } from './settle-keys.js';
import { planConcepts, writeConcepts } from './write-concepts.js';
import { assertedRows, writeEdges } from './write-edges.js';
import { writeAbout, writeMentions } from './write-mentions.js';
import { type MentionUpdate, mentionUpdates, planPassages, removePassages, writePassages } from './write-passages.js';
import { newRules, writeRules } from './write-rules.js';
import type { Writer } from './writer.js';

/**
 * Makes sources of one domain assert what they are to assert, each at most once, and brings all that is seen in line.
 * First it reads and checks, then it writes; both inside one transaction.
 */
export async function applySources(
  w: Writer,
  changes: readonly SourceChange[],
  rematched: Mentions = [],
): Promise<Effects> {
  const concepts = await planConcepts(w, changes);
  const passages = await planPassages(w, changes);
  const nodes = { concepts: concepts.changes, passages };
  const about = aboutChanges(passages, (change) => change.id);
  const named = namedKeys(concepts.changes);
  const turning = await planTurning(w, nodes);
  const judged = new Set([...about.map((change) => change.key), ...named]);
  const before = await activeAmong(w.state, w.domain, judged);
  w.state.touched = true;
  await writeConcepts(w, concepts);
  await writePassages(w, passages);
  await writeAbout(w, about);
  const mentioned = await writeMentions(w, [...mentionUpdates(passages), ...(await updatesOf(w, rematched))]);
  await removePassages(w, passages);
  await settleKeys(w, [...mentioned, ...about.map((change) => change.key)], concepts.changes);
  await writeEdges(w, changes, { nodes, turning });
  w.state.count(w.domain).edges += w.state.staged?.edges ?? 0;
  await writeRules(w, changes, nodes);
  const after = await activeAmong(w.state, w.domain, judged);
  const keys = [...judged].filter((key) => before.has(key) !== after.has(key)).sort(compare);
  return { ...effectsOn(nodes), keys };
}

/** Whether a source that is added to asserts all of this already. */
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
  await settleKeys(w, await writeMentions(w, updates), []);
}

/** Takes a source's own node away, once it asserts nothing. */
export async function removeSources(w: Writer, changes: readonly SourceChange[]): Promise<void> {
  await w.state.each('UNWIND $rows AS id MATCH (s:Source {id: id}) DETACH DELETE s', replacedIds(changes));
}

async function updatesOf({ state, domain }: Writer, passages: Mentions): Promise<MentionUpdate[]> {
  const rows = await state.each<{ id: string; mentions: string }>(
    'UNWIND $rows AS id MATCH (p:Node {id: id}) WHERE p.domain = $domain AND p.mentions IS NOT NULL RETURN id, p.mentions AS mentions',
    passages.map((passage) => passage.id),
    { domain },
  );
  const known = new Map(rows.map((row) => [row.id, row.mentions]));
  return passages.flatMap(({ id, mentions }) => {
    const before = known.get(id);
    if (before === undefined || before === JSON.stringify(mentions)) return [];
    return [{ id, before: JSON.parse(before) as Mention[], mentions, gone: false }];
  });
}

function namedKeys(concepts: readonly ConceptChange[]): Set<string> {
  const keys = new Set<string>();
  for (const { before, after } of concepts) {
    if (before?.key === after?.key) continue;
    if (before !== null) keys.add(before.key);
    if (after !== null) keys.add(after.key);
  }
  return keys;
}
