import { sql } from 'kysely';
import type { GraphRule } from '../../core/model.js';
import type { DerivedRuleEntry } from './derived/derived-rules.js';
import type { RuleFilter, RulePage } from './filters.js';
import { edgesByRef } from './read-edges.js';
import { explicitRules, explicitWhere, findRules, type RuleReader, rulesOfEdges } from './read-rules.js';

/**
 * Returns a page of the rules that a filter finds, ordered by id. Derived rules come before explicit ones, as their ids
 * do. Without `concept_ids`, derived rules are found and counted among `derived`, and only those of the page are made.
 */
export async function pageOfRules(
  reader: RuleReader & { readonly derived: () => Promise<readonly DerivedRuleEntry[]> },
  filter: RuleFilter,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<RulePage> {
  if (filter.concept_ids !== undefined) {
    const found = await findRules(reader, filter);
    const domains = new Set(found.map((rule) => rule.domain));
    return { rules: found.slice(offset, offset + limit), total: found.length, domain_count: domains.size };
  }
  const explicit = await explicitCounts(reader, filter);
  const entries = filter.include_derived === false ? [] : among(await reader.derived(), reader, filter);
  const domains = new Set([...explicit.keys(), ...entries.map((entry) => entry.domain)]);
  const derived = await derivedOf(reader, entries.slice(offset, offset + limit));
  const left = limit - Math.min(limit, Math.max(0, entries.length - offset));
  const skipped = Math.max(0, offset - entries.length);
  const rules =
    left === 0 || explicit.size === 0 ? [] : await explicitRules(reader, { ...filter, limit: left }, skipped);
  const total = [...explicit.values()].reduce((sum, count) => sum + count, entries.length);
  return { rules: [...derived, ...rules], total, domain_count: domains.size };
}

function among(entries: readonly DerivedRuleEntry[], { domains }: RuleReader, filter: RuleFilter): DerivedRuleEntry[] {
  const requested = new Set(domains.map((domain) => domain.ref));
  const { categories = [], min_confidence = 0 } = filter;
  return entries.filter(
    ({ domain, category, confidence }) =>
      requested.has(domain) &&
      confidence >= min_confidence &&
      (categories.length === 0 || categories.includes(category)),
  );
}

/** Makes the rules of these edges, in their order. */
async function derivedOf(reader: RuleReader, entries: readonly DerivedRuleEntry[]): Promise<GraphRule[]> {
  const edges = await edgesByRef(
    reader.db,
    entries.map((entry) => entry.edge),
  );
  return rulesOfEdges(
    reader,
    entries.flatMap((entry) => edges.get(entry.edge) ?? []),
    {},
  );
}

/** Returns the number of explicit rules that a filter finds, by domain: kept counts where all of a domain are meant. */
async function explicitCounts(reader: RuleReader, filter: RuleFilter): Promise<Map<number, number>> {
  const { categories = [], min_confidence = 0 } = filter;
  const some = reader.domains.filter((domain) => domain.rule_count > 0);
  if (some.length === 0 || (categories.length === 0 && min_confidence === 0)) {
    return new Map(some.map(({ ref, rule_count }) => [ref, rule_count]));
  }
  const rows = await sql<{ domain: number; rules: number }>`select r.domain, count(*) as rules from rule r
    where ${explicitWhere({ ...reader, domains: some }, filter)} group by r.domain`.execute(reader.db);
  return new Map(rows.rows.map(({ domain, rules }) => [domain, Number(rules)]));
}
