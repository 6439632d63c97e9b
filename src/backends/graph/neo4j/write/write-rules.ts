import { normaliseName } from '../../../../core/ids.js';
import { push } from '../../../../ledger/groups.js';
import { type AssertedRule, byRank, compare } from '../../../../ledger/manifest/asserted.js';
import { endNorms } from '../../../../ledger/manifest/ends.js';
import { eachTurned, type NodeChanges } from '../../../../ledger/manifest/node-changes.js';
import {
  firstWord,
  type HeldRule,
  mayTouch,
  type RuleReading,
  sameRule,
} from '../../../../ledger/manifest/rule-change.js';
import { ruleKeys } from '../../../../ledger/manifest/rule-keys.js';
import { replacedIds, type SourceChange } from '../../../../ledger/manifest/source-change.js';
import { makeWay } from '../../../../ledger/manifest/succession.js';
import { resolverFor } from './ends.js';
import type { Writer } from './writer.js';

const HELD = `a {.text, .category, .confidence, .concepts, .metadata, .version, id: r.id, source_id: s.id}`;

/** A rule before and after a write. */
interface Plan {
  readonly id: string;
  readonly before: RuleReading | null;
  readonly best: HeldRule | null;
}

/** Writes what sources assert as rules, settles which is seen of each, and renews which concepts rules touch. */
export async function writeRules(w: Writer, changes: readonly SourceChange[], nodes: NodeChanges): Promise<void> {
  const { state, domain } = w;
  const replaced = replacedIds(changes);
  const leaving = await state.each<{ id: string }>(
    'UNWIND $rows AS id MATCH (:Source {id: id})-[a:ASSERTS]->(r:Rule) WITH a, r.id AS id DELETE a RETURN id',
    replaced,
  );
  const ids = new Set(leaving.map((row) => row.id));
  for (const change of changes) for (const id of change.next?.rules.keys() ?? []) ids.add(id);
  const { held, shown } = await rulesById(w, ids);
  const fresh = freshRows(w, changes, held);
  await state.each(
    'UNWIND $rows AS id MERGE (:Rule {domain: $domain, id: id})',
    [...ids].filter((id) => !shown.has(id)),
    { domain },
  );
  await state.each(
    `UNWIND $rows AS row MATCH (s:Source {id: row.source_id}) MATCH (r:Rule {domain: $domain, id: row.id})
     MERGE (s)-[a:ASSERTS]->(r) SET a.text = row.text, a.category = row.category, a.confidence = row.confidence,
       a.concepts = row.concepts, a.metadata = row.metadata, a.version = toInteger(row.version)`,
    fresh,
    { domain },
  );
  const plans = [...ids].map((id): Plan => {
    const best = [...(held.get(id) ?? [])].sort(byRank)[0] ?? null;
    return { id, before: shown.get(id) ?? null, best };
  });
  await show(w, plans);
  await renewLinks(
    w,
    plans.flatMap(({ best }) => best ?? []),
    nodes,
  );
}

/** Rules that sources do not assert yet. */
export async function newRules(w: Writer, changes: readonly SourceChange[]): Promise<readonly HeldRule[]> {
  const ids = changes.flatMap((change) => [...(change.next?.rules.keys() ?? [])]);
  return freshRows(w, changes, (await rulesById(w, ids)).held);
}

async function rulesById({ state, domain }: Writer, ids: Iterable<string>) {
  const rows = await state.each<{ id: string; text: string; concepts: string | null; held: HeldRule[] }>(
    `UNWIND $rows AS id MATCH (r:Rule {domain: $domain, id: id})
     RETURN id, r.text AS text, r.concepts AS concepts, [(s:Source)-[a:ASSERTS]->(r) | ${HELD}] AS held`,
    ids,
    { domain },
  );
  return {
    held: new Map(rows.map((row) => [row.id, [...row.held]])),
    shown: new Map(rows.map(({ id, text, concepts }) => [id, { text, concepts }])),
  };
}

/** Rows to be written; they take the place in `held` of what the same source asserted weaker or otherwise before. */
function freshRows(w: Writer, changes: readonly SourceChange[], held: Map<string, HeldRule[]>): HeldRule[] {
  const rows: HeldRule[] = [];
  for (const change of changes) {
    for (const rule of change.next?.rules.values() ?? []) {
      const row = rowOf(w, change.id, rule);
      if (!makeWay(held.get(rule.id), row, sameRule)) continue;
      push(held, rule.id, row);
      rows.push(row);
    }
  }
  return rows;
}

function rowOf(w: Writer, source_id: string, rule: AssertedRule): HeldRule {
  const { id, text, category, confidence } = rule;
  const concepts = rule.concepts === null ? null : JSON.stringify(rule.concepts);
  const metadata = JSON.stringify(rule.metadata);
  return { source_id, id, text, category, confidence, concepts, metadata, version: w.state.version };
}

/** Writes what is seen of each rule, and files those that are new or read differently under the words that decide. */
async function show({ state, domain }: Writer, plans: readonly Plan[]): Promise<void> {
  const counts = state.count(domain);
  const gone = plans.filter((plan) => plan.best === null);
  counts.rules += plans.filter((plan) => plan.before === null && plan.best !== null).length;
  counts.rules -= gone.filter((plan) => plan.before !== null).length;
  await state.each(
    `UNWIND $rows AS row MATCH (r:Rule {domain: $domain, id: row.id}) SET r.text = row.text, r.category = row.category,
       r.confidence = row.confidence, r.concepts = row.concepts, r.metadata = row.metadata`,
    plans.flatMap(({ best }) => best ?? []),
    { domain },
  );
  const reread = plans.filter(({ before, best }) => {
    return best === null || before?.text !== best.text || before.concepts !== best.concepts;
  });
  await state.each(
    `UNWIND $rows AS id MATCH (:Rule {domain: $domain, id: id})-[x:WATCHES]->(w:Word) DELETE x
     WITH DISTINCT w WHERE NOT EXISTS { (w)<-[:WATCHES]-() } DELETE w`,
    reread.filter(({ before }) => before !== null).map((plan) => plan.id),
    { domain },
  );
  await state.each(
    `UNWIND $rows AS row MATCH (r:Rule {domain: $domain, id: row.id})
     MERGE (w:Word {domain: $domain, word: row.word}) CREATE (r)-[:WATCHES]->(w)`,
    reread.flatMap(({ id, best }) => (best === null ? [] : wordsOf(best).map((word) => ({ id, word })))),
    { domain },
  );
  await state.each(
    'UNWIND $rows AS id MATCH (r:Rule {domain: $domain, id: id}) DETACH DELETE r',
    gone.map((plan) => plan.id),
    { domain },
  );
}

/** What a rule is filed under: the ends it was given (`=end`), else the words of its text. */
function wordsOf({ text, concepts }: RuleReading): string[] {
  if (concepts === null) return [...new Set([...ruleKeys(text)].map(firstWord))];
  const ends = JSON.parse(concepts) as string[];
  return [...new Set(ends.map((end) => `=${normaliseName(end)}`))];
}

/** Renews the links of rules that were asserted, and of those that a concept which came, went or was renamed may touch. */
async function renewLinks(w: Writer, asserted: readonly HeldRule[], nodes: NodeChanges): Promise<void> {
  const keys = new Set<string>();
  const words = new Set<string>();
  eachTurned(nodes, (id, seen) => {
    if (seen !== null) {
      keys.add(seen.key);
      words.add(firstWord(seen.key));
    }
    for (const norm of endNorms(w.domain, { id, norm: seen?.norm ?? null })) words.add(`=${norm}`);
  });
  const found = await w.state.each<RuleReading & { id: string; [column: string]: unknown }>(
    `UNWIND $rows AS word MATCH (:Word {domain: $domain, word: word})<-[:WATCHES]-(r:Rule)
     RETURN DISTINCT r.id AS id, r.text AS text, r.concepts AS concepts`,
    words,
    { domain: w.domain },
  );
  const affected = new Map<string, RuleReading & { readonly id: string }>();
  for (const rule of found) if (mayTouch(rule, keys)) affected.set(rule.id, rule);
  for (const rule of asserted) affected.set(rule.id, rule);
  await link(w, [...affected.values()]);
}

/** Draws which concepts rules touch, as the domain is now. */
async function link(w: Writer, rules: ReadonlyArray<RuleReading & { readonly id: string }>): Promise<void> {
  if (rules.length === 0) return;
  const { state, domain } = w;
  const byEnds = rules.flatMap((rule) =>
    rule.concepts === null ? [] : [{ id: rule.id, ends: JSON.parse(rule.concepts) as string[] }],
  );
  const byText = rules
    .filter((rule) => rule.concepts === null)
    .map((rule) => ({ id: rule.id, keys: ruleKeys(rule.text) }));
  const resolve = await resolverFor(
    w,
    byEnds.flatMap((rule) => rule.ends),
  );
  const named = await state.each<{ key: string; id: string }>(
    'UNWIND $rows AS key MATCH (c:Concept {domain: $domain, key: key}) RETURN key, c.id AS id',
    new Set(byText.flatMap((rule) => [...rule.keys])),
    { domain },
  );
  const byKey = new Map<string, string[]>();
  for (const { key, id } of named) push(byKey, key, id);
  const touches = new Map<string, Set<string>>(rules.map((rule) => [rule.id, new Set()]));
  for (const { id, ends } of byEnds) {
    for (const end of ends) {
      const node = resolve(end);
      if (node !== null) touches.get(id)!.add(node);
    }
  }
  for (const { id, keys } of byText) {
    for (const key of keys) for (const node of byKey.get(key) ?? []) touches.get(id)!.add(node);
  }
  await state.each(
    'UNWIND $rows AS id MATCH (:Rule {domain: $domain, id: id})-[t:TOUCHES]->() DELETE t',
    touches.keys(),
    { domain },
  );
  await state.each(
    `UNWIND $rows AS row MATCH (r:Rule {domain: $domain, id: row.rule}) MATCH (n:Node {id: row.node})
     CREATE (r)-[:TOUCHES]->(n)`,
    [...touches].flatMap(([rule, nodes]) => [...nodes].sort(compare).map((node) => ({ rule, node }))),
    { domain },
  );
}
