import type { GraphBackend } from '../../backends/graph/port.js';
import { groupBy } from '../../core/group-by.js';
import { type GraphRule, touchedBy } from '../../core/model.js';

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

/** Returns a rule as it is returned; `metadata.passages` are those that state it. */
export function ruleItem(rule: GraphRule, relevance: number): RuleItem {
  const { id, text, domain, category, confidence, derivation, passages } = rule;
  return {
    id,
    text,
    domain,
    category,
    confidence,
    relevance,
    derivation,
    source_concepts: [...rule.source_concepts],
    metadata: { ...rule.metadata, ...(passages === undefined ? {} : { passages: [...passages] }) },
  };
}

/** Items whose rules are read together; of more, those of the best first: mostly they have as many as are shown. */
const FIRST = 16;
/** Rules read together, at most: where more touch the items, those of each score are read by themselves. */
const READ = 200;

/** Returns the rules that touch the items, in the requested domains; relevance = score of the best item touched. */
export async function surfaceRules(
  graph: GraphBackend,
  items: ReadonlyArray<{ readonly id: string; readonly score: number }>,
  domains: readonly string[] | undefined,
): Promise<RuleItem[]> {
  const scores = new Map<string, number>();
  for (const { id, score } of items) scores.set(id, Math.max(score, scores.get(id) ?? 0));
  const found = new Map<string, { readonly rule: GraphRule; readonly relevance: number }>();
  const touching = (ids: string[], limit: number): Promise<GraphRule[]> =>
    graph.getRules({ domains, concept_ids: ids, include_derived: true, limit });
  const add = (rules: readonly GraphRule[]): void => {
    for (const rule of rules) {
      const relevance = Math.max(0, ...touchedBy(rule).map((id) => scores.get(id) ?? 0));
      found.set(JSON.stringify([rule.domain, rule.id]), { rule, relevance });
    }
  };
  for (const ids of bestFirst(scores)) {
    // A rule that touches only items further down is less relevant than all that were found.
    if (found.size >= MOST_RULES) break;
    const rules = await touching(ids, READ);
    if (rules.length < READ) {
      add(rules);
      continue;
    }
    for (const equal of groupBy(ids, (id) => scores.get(id)).values()) {
      if (found.size >= MOST_RULES) break;
      // Rules that touch a better item too are among these, and count there.
      add(await touching(equal, MOST_RULES + found.size));
    }
  }
  const best = [...found.values()]
    .sort((a, b) => b.relevance - a.relevance || (a.rule.id < b.rule.id ? -1 : 1))
    .slice(0, MOST_RULES);
  const marked = await graph.markContradictions(best.map(({ rule }) => rule));
  return marked.map((rule, i) => ruleItem(rule, best[i]!.relevance));
}

/** Splits ids into the best with all that score like the last of them, and the others. */
function bestFirst(scores: ReadonlyMap<string, number>): string[][] {
  const ranked = [...scores].sort((a, b) => b[1] - a[1]);
  const least = ranked[Math.min(FIRST, ranked.length) - 1]?.[1] ?? 0;
  const parts = [ranked.filter(([, score]) => score >= least), ranked.filter(([, score]) => score < least)];
  return parts.filter((part) => part.length > 0).map((part) => part.map(([id]) => id));
}
