import type { GraphBackend } from '../../backends/graph/port.js';
import type { GraphRule } from '../../core/model.js';

/** Rules shown with a query, at most. */
const MOST_RULES = 20;

/** A rule as it is returned. */
export interface RuleItem {
  readonly id: string;
  readonly text: string;
  readonly domain: string;
  readonly category: string;
  readonly confidence: number;
  readonly relevance: number;
  readonly derivation: 'explicit' | 'derived';
  readonly source_concepts: string[];
  readonly metadata: Record<string, unknown>;
}

export function ruleItem(rule: GraphRule, relevance: number): RuleItem {
  const { id, text, domain, category, confidence, derivation } = rule;
  return {
    id,
    text,
    domain,
    category,
    confidence,
    relevance,
    derivation,
    source_concepts: [...rule.source_concepts],
    metadata: { ...rule.metadata },
  };
}

/** Returns the rules that touch the items, in the requested domains; relevance = score of the best item touched. */
export async function surfaceRules(
  graph: GraphBackend,
  items: ReadonlyArray<{ readonly id: string; readonly score: number }>,
  domains: readonly string[] | undefined,
): Promise<RuleItem[]> {
  if (items.length === 0) return [];
  const scores = new Map<string, number>();
  for (const { id, score } of items) scores.set(id, Math.max(score, scores.get(id) ?? 0));
  const rules = await graph.getRules({ domains, concept_ids: [...scores.keys()], include_derived: true });
  const best = rules
    .map((rule) => ({ rule, relevance: Math.max(0, ...rule.source_concepts.map((id) => scores.get(id) ?? 0)) }))
    .sort((a, b) => b.relevance - a.relevance || (a.rule.id < b.rule.id ? -1 : 1))
    .slice(0, MOST_RULES);
  const marked = await graph.markContradictions(best.map(({ rule }) => rule));
  return marked.map((rule, i) => ruleItem(rule, best[i]!.relevance));
}
