import { forValues, GIVEN, insertRows, type ValueRow } from '../../backends/store/rows.js';
import { slicer } from '../../core/async/slices.js';
import { push } from '../../core/group-by.js';
import { type RuleReading, ruleKeys } from '../manifest/rule-change.js';
import { mergedByKey } from '../merge/merged-nodes.js';
import { CONCEPT, type Writer } from '../tables.js';
import { resolverFor } from './endpoints.js';

/** Keys of rules that are looked up together. */
const KEYS = 20_000;

/** Links rules to the concepts they touch, a part of the rules at a time: their texts hold many possible names. */
export async function linkRules(
  w: Writer,
  rules: ReadonlyArray<RuleReading & { readonly ref: number }>,
): Promise<void> {
  const byEndpoints = rules
    .filter((rule) => rule.concepts !== null)
    .map((rule) => [rule.ref, JSON.parse(rule.concepts!) as string[]] as const);
  const endpoints = byEndpoints.flatMap(([, endpoints]) => endpoints);
  const resolve = await resolverFor(w, endpoints);
  const links = byEndpoints.map(([rule, endpoints]) => [rule, endpoints.map((endpoint) => resolve(endpoint))] as const);
  await insertLinks(w, links);
  const pause = slicer();
  let part: KeysOfRule[] = [];
  let keys = 0;
  for (const rule of rules) {
    if (rule.concepts !== null) continue;
    const own = ruleKeys(rule.text);
    part.push([rule.ref, own]);
    keys += own.size;
    if (keys > KEYS) {
      await linkByText(w, part);
      part = [];
      keys = 0;
    }
    await pause();
  }
  await linkByText(w, part);
}

/** Number of a rule, and keys of the names that its text may hold. */
type KeysOfRule = readonly [rule: number, keys: ReadonlySet<string>];

async function linkByText(w: Writer, rules: readonly KeysOfRule[]): Promise<void> {
  const names = rules.flatMap(([, keys]) => [...keys]);
  const named = await forValues(w.db, names)<{ key: string; ref: number }>`
    select n.key, n.ref from ${GIVEN} join node n on n.key = given.v and n.domain = ${w.domain.ref}
    where n.kind = ${CONCEPT}`;
  const merged = await mergedByKey(w, names);
  if (named.length + merged.length === 0) return;
  const byKey = new Map<string, number[]>();
  for (const { key, ref } of named) push(byKey, key, ref);
  for (const { key, target } of merged) push(byKey, key, target);
  const links = rules.map(([rule, keys]) => [rule, [...keys].flatMap((key) => byKey.get(key) ?? [])] as const);
  await insertLinks(w, links);
}

/** Writes which concepts each rule touches; 0 stands for none. */
async function insertLinks(w: Writer, links: ReadonlyArray<readonly [rule: number, nodes: readonly number[]]>) {
  const rows = links.flatMap(([rule, nodes]) =>
    [...new Set(nodes)].filter((node) => node !== 0).map((node): ValueRow => [rule, node]),
  );
  await insertRows(w.db, 'rule_concept', { columns: { rule: 'int', node: 'int' }, rows });
}
