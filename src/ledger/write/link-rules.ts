import { sql } from 'kysely';
import { insertRows, type ValueRow, withValues } from '../../backends/store/rows.js';
import { slicer } from '../../core/async/slices.js';
import { push } from '../groups.js';
import type { RuleReading } from '../manifest/rule-change.js';
import { ruleKeys } from '../manifest/rule-keys.js';
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
  const resolve = await resolverFor(
    w,
    byEndpoints.flatMap(([, endpoints]) => endpoints),
  );
  await insertLinks(
    w,
    byEndpoints.map(([rule, endpoints]) => [rule, endpoints.map((endpoint) => resolve(endpoint))] as const),
  );
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
  const named = await withValues(
    w.db,
    rules.flatMap(([, keys]) => [...keys]),
    (given) => sql<{ key: string; ref: number }>`select n.key, n.ref from ${given}
      join node n on n.key = given.v and n.domain = ${w.domain.ref} where n.kind = ${CONCEPT}`,
  );
  const merged = await mergedByKey(w, new Set(rules.flatMap(([, keys]) => [...keys])));
  if (named.length + merged.length === 0) return;
  const byKey = new Map<string, number[]>();
  for (const { key, ref } of named) push(byKey, key, ref);
  for (const { key, target } of merged) push(byKey, key, target);
  await insertLinks(
    w,
    rules.map(([rule, keys]) => [rule, [...keys].flatMap((key) => byKey.get(key) ?? [])] as const),
  );
}

/** Writes which concepts each rule touches; 0 stands for none. */
async function insertLinks(w: Writer, links: ReadonlyArray<readonly [rule: number, nodes: readonly number[]]>) {
  const rows = links.flatMap(([rule, nodes]) =>
    [...new Set(nodes)].filter((node) => node !== 0).map((node): ValueRow => [rule, node]),
  );
  await insertRows(w.db, 'rule_concept', { columns: { rule: 'int', node: 'int' }, rows });
}
