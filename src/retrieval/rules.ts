import type { GraphBackend, RuleFilter } from '../backends/graph/port.js';
import { type RuleItem, ruleItem } from './present/surface-rules.js';

export type RulesRequest = Pick<
  RuleFilter,
  'domains' | 'concept_ids' | 'categories' | 'include_derived' | 'min_confidence'
>;

export interface RulesResult {
  readonly rules: RuleItem[];
  /** Distinct domains of the rules. */
  readonly domain_count: number;
  readonly projection: 'rules';
}

/** Rules by filter, ordered by id; empty lists mean all; relevance = confidence. */
export async function listRules(graph: GraphBackend, request: RulesRequest): Promise<RulesResult> {
  const some = (list: readonly string[] | undefined) => (list === undefined || list.length === 0 ? undefined : list);
  const found = await graph.getRules({
    domains: some(request.domains),
    concept_ids: some(request.concept_ids),
    categories: some(request.categories),
    include_derived: request.include_derived ?? true,
    min_confidence: request.min_confidence ?? 0,
  });
  const rules = found.map((rule) => ruleItem(rule, rule.confidence));
  return { rules, domain_count: new Set(rules.map((rule) => rule.domain)).size, projection: 'rules' };
}
