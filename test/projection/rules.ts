import type { GraphRule } from '../../src/core/model.js';

/** An explicit rule with what a test does not care about filled in. */
export function explicitRule(rule: Partial<GraphRule> & { readonly text: string }): GraphRule {
  return {
    id: `rule:ops:${rule.text.length}`,
    domain: 'ops',
    category: 'general',
    confidence: 1,
    derivation: 'explicit',
    source_concepts: [],
    metadata: {},
    ...rule,
  };
}

/** The rule of `ops:a REQUIRES ops:b`. */
export const derivedRule: GraphRule = {
  id: 'derived:ops:a->ops:b:requires:imperative',
  text: 'Always provide Pump when you use Filter.',
  domain: 'ops',
  category: 'dependency',
  confidence: 0.8,
  derivation: 'derived',
  source_concepts: ['ops:a', 'ops:b'],
  metadata: {
    relation_type: 'requires',
    template_id: 'requires:imperative',
    template_variant: 'imperative',
    template_severity: 'error',
  },
};
