import type { EdgeTemplate } from '../../../../core/derive-rules.js';
import type { GraphRule, JsonObject } from '../../../../core/model.js';
import { push } from '../../../../ledger/groups.js';
import { compare } from '../../../../ledger/manifest/asserted.js';
import { int } from '../../../neo4j-connection.js';
import type { RuleFilter } from '../../port.js';
import { derivedAt, derivedIn, sourcesOf } from './derived-rules.js';
import { domainInfos } from './read-nodes.js';
import type { Reader } from './reader.js';

interface RuleRow {
  readonly id: string;
  readonly domain: string;
  readonly text: string;
  readonly category: string;
  readonly confidence: number;
  readonly metadata: string;
  readonly touched: readonly string[];
}

type Templates = ReadonlyMap<string, EdgeTemplate>;

/** Explicit rules that one round trip reads of each domain. */
const PAGE = 500;
/** Domains that one round trip reads. */
const TOGETHER = 20;

/** Explicit and derived rules that a filter lets through, ordered by id, then domain. */
export async function findRules(reader: Reader, templates: Templates, filter: RuleFilter): Promise<GraphRule[]> {
  if (filter.limit === 0) return [];
  const [derived, explicit] = await Promise.all([
    derivedRules(reader, templates, filter),
    filter.concept_ids === undefined ? explicitRules(reader, filter) : touching(reader, filter),
  ]);
  return [...derived, ...explicit]
    .sort((a, b) => compare(a.id, b.id) || compare(a.domain, b.domain))
    .slice(0, filter.limit);
}

async function derivedRules(reader: Reader, templates: Templates, filter: RuleFilter): Promise<GraphRule[]> {
  if (filter.include_derived === false) return [];
  const [categories, domains] = [some(filter.categories), some(filter.domains)];
  const asked = new Map([...templates].filter(([, one]) => categories === null || categories.includes(one.category)));
  if (asked.size === 0) return [];
  const common = { templates: asked, confidence: filter.min_confidence ?? 0 };
  const nodes = filter.concept_ids ?? (filter.ids === undefined ? undefined : sourcesOf(filter.ids));
  if (nodes === undefined) return derivedIn(reader, domains, { ...common, limit: filter.limit ?? null });
  const found = await derivedAt(reader, nodes, { ...common, domains });
  const ids = filter.ids === undefined ? null : new Set(filter.ids);
  return ids === null ? found : found.filter((rule) => ids.has(rule.id));
}

/** Explicit rules of the domains asked for, or of all; where there is a limit, the first so many of each. */
async function explicitRules(reader: Reader, filter: RuleFilter): Promise<GraphRule[]> {
  const domains = [...new Set(some(filter.domains) ?? (await allDomains(reader)))];
  const params = { ...matching(filter), domains };
  if (filter.ids !== undefined) return (await reader.ask<RuleRow>(BY_ID, params)).map(ruleOf);
  const page = Math.min(PAGE, filter.limit ?? PAGE);
  const rules: RuleRow[] = [];
  // What is still to be read: domains, and the rule after which each goes on.
  const left = domains.map((domain) => ({ domain, after: '', found: 0 }));
  while (left.length > 0) {
    const places = left.splice(0, TOGETHER);
    const rows = await reader.ask<RuleRow>(IN_DOMAINS, { ...params, places, limit: int(page) });
    for (const row of rows) rules.push(row);
    const read = new Map<string, RuleRow[]>();
    for (const row of rows) push(read, row.domain, row);
    for (const { domain, found } of places) {
      const here = (read.get(domain) ?? []).sort((a, b) => compare(a.id, b.id));
      const now = found + here.length;
      if (here.length === page && now < (filter.limit ?? Number.POSITIVE_INFINITY)) {
        left.push({ domain, after: here.at(-1)!.id, found: now });
      }
    }
  }
  return rules.map(ruleOf);
}

async function touching(reader: Reader, filter: RuleFilter): Promise<GraphRule[]> {
  const params = { ...matching(filter), concepts: filter.concept_ids, domains: some(filter.domains) };
  return (await reader.ask<RuleRow>(TOUCHING, params)).map(ruleOf);
}

async function allDomains(reader: Reader): Promise<string[]> {
  return (await domainInfos(reader)).map((domain) => domain.name);
}

function matching(filter: RuleFilter) {
  return { ids: filter.ids ?? null, categories: some(filter.categories), confidence: filter.min_confidence ?? 0 };
}

/** Null for a list that names nothing: it means all. */
function some(list: readonly string[] | undefined): readonly string[] | null {
  return list === undefined || list.length === 0 ? null : list;
}

function ruleOf({ touched, metadata, ...row }: RuleRow): GraphRule {
  return {
    ...row,
    derivation: 'explicit',
    source_concepts: [...touched].sort(compare),
    metadata: JSON.parse(metadata) as JsonObject,
  };
}

const FITS = '($p.categories IS NULL OR r.category IN $p.categories) AND r.confidence >= $p.confidence';

const RULE = `r {.id, .domain, .text, .category, .confidence, .metadata, touched: [(r)-[:TOUCHES]->(n) | n.id]} AS row`;

const IN_DOMAINS = `UNWIND $p.places AS place
  CALL (place) {
    MATCH (r:Rule) USING INDEX SEEK r:Rule(domain, id)
    WHERE r.domain = place.domain AND r.id > place.after AND ${FITS}
    RETURN r ORDER BY r.id LIMIT $p.limit
  }
  RETURN ${RULE}`;

const BY_ID = `UNWIND $p.domains AS domain UNWIND $p.ids AS id
  MATCH (r:Rule {domain: domain, id: id}) USING INDEX SEEK r:Rule(domain, id) WHERE ${FITS}
  WITH DISTINCT r RETURN ${RULE}`;

const TOUCHING = `UNWIND $p.concepts AS id MATCH (n:Node {id: id}) USING INDEX SEEK n:Node(id)
  MATCH (n)<-[:TOUCHES]-(r:Rule) WHERE ($p.domains IS NULL OR r.domain IN $p.domains)
    AND ($p.ids IS NULL OR r.id IN $p.ids) AND ${FITS}
  WITH DISTINCT r RETURN ${RULE}`;
