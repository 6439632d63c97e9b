import { sql } from 'kysely';
import { chunks } from '../../backends/store/sql.js';
import { slicer } from '../../core/async/slices.js';
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
  const entries = filter.include_derived === false ? [] : await reader.derived();
  const found = await pageOfEntries(entries, { reader, filter, offset, limit });
  const derived = await derivedOf(reader, found.page);
  const left = limit - Math.min(limit, Math.max(0, found.total - offset));
  const skipped = Math.max(0, offset - found.total);
  const rules =
    left === 0 || explicit.size === 0 ? [] : await explicitRules(reader, { ...filter, limit: left }, skipped);
  const total = [...explicit.values()].reduce((sum, count) => sum + count, found.total);
  return { rules: [...derived, ...rules], total, domain_count: new Set([...explicit.keys(), ...found.domains]).size };
}

interface EntryPage {
  readonly page: readonly DerivedRuleEntry[];
  readonly total: number;
  readonly domains: ReadonlySet<number>;
}

/** Finds a page of derived rules, and counts all of them: whole domains by their places, others one by one. */
async function pageOfEntries(
  entries: readonly DerivedRuleEntry[],
  {
    reader,
    filter,
    offset,
    limit,
  }: { readonly reader: RuleReader; readonly filter: RuleFilter; readonly offset: number; readonly limit: number },
): Promise<EntryPage> {
  const { categories = [], min_confidence = 0 } = filter;
  const isWhole = categories.length === 0 && min_confidence === 0;
  const requested = new Set(reader.domains.map((domain) => domain.ref));
  const domains = new Set<number>();
  const page: DerivedRuleEntry[] = [];
  const pause = slicer('urgent');
  let total = 0;
  for (const [domain, [start, end]] of await placesOf(entries)) {
    if (!requested.has(domain)) continue;
    if (isWhole) {
      const from = start + Math.max(0, offset - total);
      const to = Math.min(end, from + limit - page.length);
      for (let at = from; at < to; at += 1) {
        if (at % STEP === 0) await pause();
        page.push(entries[at]!);
      }
      total += end - start;
      domains.add(domain);
      continue;
    }
    for (let at = start; at < end; at += 1) {
      if (at % STEP === 0) await pause();
      const entry = entries[at]!;
      if (entry.confidence < min_confidence) continue;
      if (categories.length > 0 && !categories.includes(entry.category)) continue;
      if (total >= offset && page.length < limit) page.push(entry);
      total += 1;
      domains.add(domain);
    }
  }
  return { page, total, domains };
}

/** Entries between two looks at the clock. */
const STEP = 4096;
/** Rules that are made of the edges of one statement. */
const MADE = 1000;

type Places = ReadonlyMap<number, readonly [start: number, end: number]>;

const knownPlaces = new WeakMap<readonly DerivedRuleEntry[], Places>();

/** Returns where the entries of each domain stand: they stand together. */
async function placesOf(entries: readonly DerivedRuleEntry[]): Promise<Places> {
  const known = knownPlaces.get(entries);
  if (known !== undefined) return known;
  const pause = slicer('urgent');
  const places = new Map<number, readonly [number, number]>();
  for (let start = 0; start < entries.length; ) {
    const { domain } = entries[start]!;
    let end = start + 1;
    while (end < entries.length && entries[end]!.domain === domain) {
      if (end % STEP === 0) await pause();
      end += 1;
    }
    places.set(domain, [start, end]);
    start = end;
  }
  knownPlaces.set(entries, places);
  return places;
}

async function derivedOf(reader: RuleReader, entries: readonly DerivedRuleEntry[]): Promise<GraphRule[]> {
  const rules: GraphRule[] = [];
  for (const part of chunks(entries, MADE)) {
    const edges = await edgesByRef(
      reader.db,
      part.map((entry) => entry.edge),
    );
    const found = part.flatMap((entry) => edges.get(entry.edge) ?? []);
    for (const rule of await rulesOfEdges(reader, found, {})) rules.push(rule);
  }
  return rules;
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
