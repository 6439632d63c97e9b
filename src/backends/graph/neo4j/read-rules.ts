import { deriveRule, type EdgeTemplate } from '../../../core/derive-rules.js';
import type { GraphRule, JsonObject } from '../../../core/model.js';
import { compare } from '../asserted.js';
import type { RuleFilter } from '../port.js';
import { EDGE, type EdgeRow, edgeOf } from './read-edges.js';
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

interface EdgeNames extends EdgeRow {
  readonly domain: string;
  readonly source: string;
  readonly target: string;
}

/** Explicit and derived rules that a filter lets through, ordered by id, then domain. One round trip. */
export async function findRules(
  reader: Reader,
  templates: ReadonlyMap<string, EdgeTemplate>,
  filter: RuleFilter,
): Promise<GraphRule[]> {
  const some = (list: readonly string[] | undefined) => (list === undefined || list.length === 0 ? null : list);
  const params = {
    domains: some(filter.domains),
    categories: some(filter.categories),
    ids: filter.ids ?? null,
    concepts: filter.concept_ids ?? null,
    confidence: filter.min_confidence ?? 0,
    types: [...templates.keys()],
  };
  const derived = filter.include_derived !== false && templates.size > 0;
  const [explicit, edges] = await Promise.all([
    reader.ask<RuleRow>(filter.concept_ids === undefined ? EXPLICIT : TOUCHING, params),
    derived ? reader.ask<EdgeNames>(filter.concept_ids === undefined ? EDGES : EDGES_AT, params) : [],
  ]);
  const ids = filter.ids === undefined ? null : new Set(filter.ids);
  const categories = some(filter.categories);
  const rules = edges.flatMap((row) => {
    const template = templates.get(row.relation_type)!;
    if (categories !== null && !categories.includes(template.category)) return [];
    const rule = deriveRule(edgeOf(row), { domain: row.domain, source: row.source, target: row.target }, template);
    return rule !== null && (ids === null || ids.has(rule.id)) ? [rule] : [];
  });
  return [...rules, ...explicit.map(ruleOf)]
    .sort((a, b) => compare(a.id, b.id) || compare(a.domain, b.domain))
    .slice(0, filter.limit);
}

function ruleOf({ touched, metadata, ...row }: RuleRow): GraphRule {
  return {
    ...row,
    derivation: 'explicit',
    source_concepts: [...touched].sort(compare),
    metadata: JSON.parse(metadata) as JsonObject,
  };
}

const FITS = `($p.domains IS NULL OR r.domain IN $p.domains) AND ($p.ids IS NULL OR r.id IN $p.ids)
  AND ($p.categories IS NULL OR r.category IN $p.categories) AND r.confidence >= $p.confidence`;

const RULE = `r {.id, .domain, .text, .category, .confidence, .metadata, touched: [(r)-[:TOUCHES]->(n) | n.id]} AS row`;

const EXPLICIT = `MATCH (r:Rule) WHERE ${FITS} RETURN ${RULE}`;

const TOUCHING = `UNWIND $p.concepts AS id MATCH (:Node {id: id})<-[:TOUCHES]-(r:Rule) WHERE ${FITS}
  WITH DISTINCT r RETURN ${RULE}`;

const NAMED = `r.id IS NOT NULL AND type(r) IN $p.types AND r.confidence >= $p.confidence
  AND ($p.domains IS NULL OR a.domain IN $p.domains)`;

const WITH_NAMES = EDGE.replace(/\}$/, ', domain: a.domain, source: a.name, target: b.name} AS row');

const EDGES = `MATCH (a:Node)-[r]->(b:Node) WHERE ${NAMED} RETURN ${WITH_NAMES}`;

const EDGES_AT = `UNWIND $p.concepts AS id MATCH (n:Node {id: id})-[r]-(:Node) WHERE r.id IS NOT NULL
  WITH DISTINCT r WITH r, startNode(r) AS a, endNode(r) AS b WHERE ${NAMED} RETURN ${WITH_NAMES}`;
