import type { Mention } from '../../../../core/model.js';
import type { AboutChange } from '../../../../ledger/manifest/passage-change.js';
import type { MentionUpdate } from './write-passages.js';
import type { Writer } from './writer.js';

/** Makes the keys that are missing; concepts of that name are about them from then on. */
async function ensureKeys({ state, domain }: Writer, keys: Iterable<string>): Promise<void> {
  const made = await state.each<{ key: string }>(
    `UNWIND $rows AS key OPTIONAL MATCH (k:Key {domain: $domain, key: key})
     WITH key, k WHERE k IS NULL
     CREATE (:Key {domain: $domain, key: key, titles: 0, aliases: 0, mentions: 0, kdf: 0, targets: 0})
     RETURN key`,
    new Set(keys),
    { domain },
  );
  await state.each(
    `UNWIND $rows AS row MATCH (c:Concept {domain: $domain, key: row.key})
     MATCH (k:Key {domain: $domain, key: row.key}) CREATE (c)-[:ABOUT {alias: false}]->(k)`,
    made,
    { domain },
  );
}

/** Writes what passages are about now. */
export async function writeAbout(w: Writer, changes: readonly AboutChange<string>[]): Promise<void> {
  const set = changes.filter((change) => change.after !== null);
  await ensureKeys(
    w,
    set.map((change) => change.key),
  );
  await w.state.each(
    `UNWIND $rows AS row MATCH (n:Node {id: row.node}) MATCH (k:Key {domain: $domain, key: row.key})
     MATCH (n)-[a:ABOUT]->(k) DELETE a`,
    changes.filter((change) => change.before !== null),
    { domain: w.domain },
  );
  await w.state.each(
    `UNWIND $rows AS row MATCH (n:Node {id: row.node}) MATCH (k:Key {domain: $domain, key: row.key})
     CREATE (n)-[:ABOUT {alias: row.after}]->(k)`,
    set,
    { domain: w.domain },
  );
}

/** A key's mentions in one passage: how often, the name as first written, and sentence, token, length of each. */
interface Pair {
  readonly id: string;
  readonly key: string;
  tf: number;
  readonly name: string;
  readonly at: number[];
}

function pairsOf(id: string, mentions: readonly Mention[]): Map<string, Pair> {
  const pairs = new Map<string, Pair>();
  for (const { key, name, sentence, token, length } of mentions) {
    const pair = pairs.get(key) ?? { id, key, tf: 0, name, at: [] };
    pairs.set(key, pair);
    pair.tf += 1;
    pair.at.push(sentence, token, length);
  }
  return pairs;
}

/** Replaces the mentions of passages that stay, and answers every key that this touches. */
export async function writeMentions(w: Writer, updates: readonly MentionUpdate[]): Promise<Set<string>> {
  const touched = new Set<string>();
  const set: Pair[] = [];
  const bodies: Array<{ id: string; mentions: string }> = [];
  for (const update of updates) {
    const old = pairsOf(update.id, update.before);
    const now = pairsOf(update.id, update.mentions);
    for (const key of [...old.keys(), ...now.keys()]) touched.add(key);
    if (update.gone) continue;
    set.push(...now.values());
    bodies.push({ id: update.id, mentions: JSON.stringify(update.mentions) });
  }
  await ensureKeys(
    w,
    set.map((pair) => pair.key),
  );
  await w.state.each(
    'UNWIND $rows AS row MATCH (p:Node {id: row.id}) SET p.mentions = row.mentions WITH p MATCH (p)-[m:MENTIONS]->(:Key) DELETE m',
    bodies,
  );
  await w.state.each(
    `UNWIND $rows AS row MATCH (p:Node {id: row.id}) MATCH (k:Key {domain: $domain, key: row.key})
     CREATE (p)-[:MENTIONS {tf: toInteger(row.tf), name: row.name, at: [x IN row.at | toInteger(x)]}]->(k)`,
    set,
    { domain: w.domain },
  );
  return touched;
}
