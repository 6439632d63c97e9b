import type { GraphBackend, RuleFilter } from '../backends/graph/port.js';
import { absentCategories } from '../core/wording/absent-categories.js';
import { someOf } from '../core/wording/some-of.js';
import { type RuleItem, ruleItem } from './present/surface-rules.js';

export type RulesRequest = Pick<
  RuleFilter,
  'domains' | 'concept_ids' | 'categories' | 'include_derived' | 'min_confidence'
> & {
  /** Rules to return at most; all when absent. */
  readonly limit?: number;
  /** Rules to leave out before the first. */
  readonly offset?: number;
};

export interface RulesResult {
  readonly rules: RuleItem[];
  /** Distinct domains of all rules that the filter finds. */
  readonly domain_count: number;
  readonly projection: 'rules';
  /** Number of rules that the filter finds. */
  readonly total: number;
  /** Sentences about concepts and categories that are not there; absent where all are. */
  readonly warnings?: string[];
}

/** Concepts that a warning names. */
const MOST_NAMED = 5;

/** Returns a page of the rules that a filter finds, ordered by id; empty lists mean all; relevance = confidence. */
export async function listRules(graph: GraphBackend, request: RulesRequest): Promise<RulesResult> {
  const some = (list: readonly string[] | undefined) => (list === undefined || list.length === 0 ? undefined : list);
  const filter = {
    domains: some(request.domains),
    concept_ids: some(request.concept_ids),
    categories: some(request.categories),
    include_derived: request.include_derived ?? true,
    min_confidence: request.min_confidence ?? 0,
  };
  const { offset = 0, limit = Number.MAX_SAFE_INTEGER } = request;
  const { rules, domain_count, total } = await graph.pageOfRules(filter, { offset, limit });
  const absent = await absentOf(graph, filter);
  const warnings = [
    ...(absent.length === 0 ? [] : [sentenceOf(absent)]),
    ...(await absentCategories(graph, filter, rules)),
  ];
  return {
    rules: (await graph.markContradictions(rules)).map((rule) => ruleItem(rule, rule.confidence)),
    domain_count,
    projection: 'rules',
    total,
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

/** Returns the ids that no node of the domains has: of other domains nothing is told. */
async function absentOf(
  graph: GraphBackend,
  { concept_ids = [], domains }: Pick<RuleFilter, 'concept_ids' | 'domains'>,
): Promise<string[]> {
  if (concept_ids.length === 0) return [];
  const nodes = (await graph.getNodes(concept_ids)).filter(({ domain }) => domains?.includes(domain) ?? true);
  const found = new Set(nodes.map(({ id }) => id));
  return [...new Set(concept_ids)].filter((id) => !found.has(id));
}

function sentenceOf(absent: readonly string[]): string {
  return `There is no node ${someOf(absent, MOST_NAMED)}: concept_ids takes ids as a query returns them.`;
}
