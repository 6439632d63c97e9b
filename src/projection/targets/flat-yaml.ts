import { stringify } from 'yaml';
import type { EnrichedRule, Target } from '../types.js';
import { oneLine } from './clean-text.js';
import { ruleToDict } from './ruleset.js';

/**
 * Writes one flat YAML list: a rule with its category, domain, severity and confidence, and the texts of the rules that
 * contradict it, without provenance.
 */
export class FlatYamlTarget implements Target<string> {
  serialize(rules: readonly EnrichedRule[]): string {
    const texts = textsById(rules);
    const flat = rules.map((enriched) => {
      const { provenance, ...rule } = ruleToDict(enriched);
      const { template_severity: severity, contradicts } = provenance;
      return {
        ...rule,
        domain: provenance.domain,
        confidence: provenance.confidence,
        ...(severity === null || severity === undefined ? {} : { severity }),
        ...(contradicts === undefined ? {} : { contradicts: contradicts.map((id) => texts.get(id) ?? id) }),
      };
    });
    return stringify(flat, { schema: 'core', compat: 'yaml-1.1', lineWidth: 120 });
  }
}

/** Returns the texts of rules by id, on one line each. */
export function textsById(rules: readonly EnrichedRule[]): Map<string, string> {
  return new Map(rules.map(({ rule }) => [rule.id, oneLine(rule.text)]));
}
