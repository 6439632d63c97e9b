import { Type } from '@sinclair/typebox';
import { rules } from '../../operations/query.js';
import { EdgeItem, NodeItem, QueryItem, QueryResult, RuleItem, Truncated } from '../../operations/shapes.js';

/** The result types of clients as the specification lists them: popular clients build records of exactly these members. */
const ClientRuleItem = Type.Omit(RuleItem, ['derivation']);

export const ClientQueryResult = Type.Object({
  query_id: Type.String(),
  items: Type.Array(QueryItem),
  rules: Type.Array(ClientRuleItem),
  warnings: QueryResult.properties.warnings,
});
export const ClientExploreResult = Type.Object({
  node: NodeItem,
  edges: Type.Array(EdgeItem),
  neighbors: Type.Array(NodeItem),
  rules: Type.Array(ClientRuleItem),
  truncated: Truncated,
});
export const ClientRulesResult = Type.Object({
  rules: Type.Array(ClientRuleItem),
  domain_count: Type.Integer({ description: 'Distinct domains of all rules that were found.' }),
  projection: Type.Literal('rules'),
  total: Type.Integer({ description: 'Rules that were found; `rules` is a page of them.' }),
  warnings: rules.output.properties.warnings,
});

interface WithRules {
  readonly rules?: ReadonlyArray<{ readonly derivation: string; readonly metadata: object }>;
}

/** Returns an answer whose rules have the members of a client's record; `derivation` stands in their metadata. */
export function clientRules<T extends WithRules>(output: T) {
  const own = (output.rules ?? []).map(({ derivation, metadata, ...rule }) => ({
    ...rule,
    metadata: { ...metadata, derivation },
  }));
  return { ...output, rules: own };
}
