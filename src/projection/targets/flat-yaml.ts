import { stringify } from 'yaml';
import type { EnrichedRule, Target } from '../types.js';
import { ruleToDict } from './ruleset.js';

/** Writes one flat YAML list: a rule with its category, domain, severity and confidence, without provenance. */
export class FlatYamlTarget implements Target<string> {
  serialize(rules: readonly EnrichedRule[]): string {
    const flat = rules.map((enriched) => {
      const { provenance, ...rule } = ruleToDict(enriched);
      const { template_severity: severity } = provenance;
      return {
        ...rule,
        domain: provenance.domain,
        confidence: provenance.confidence,
        ...(severity === null || severity === undefined ? {} : { severity }),
      };
    });
    return stringify(flat, { schema: 'core', compat: 'yaml-1.1', lineWidth: 120 });
  }
}
