import { SvcError } from '../../core/errors.js';
import { contradictsOf } from '../rule-source.js';
import type { EnrichedRule, Target } from '../types.js';
import { oneLine } from './clean-text.js';

/** The system that rule sets name as their origin, unless the service has another name. */
export const SOURCE_NAME = 'svc';

/** Where a rule comes from. For grouping only, never for authorization. */
export interface RuleProvenance {
  readonly id: string;
  readonly domain: string;
  readonly derivation: 'explicit' | 'derived';
  /** 0..1. */
  readonly confidence: number;
  readonly relevance?: number;
  readonly source_concepts?: readonly string[];
  readonly relation_type?: string | null;
  readonly template_id?: string | null;
  readonly template_variant?: string | null;
  readonly template_severity?: string | null;
  readonly graph_version?: string | null;
  /** Ids of rules that contradict this one; beyond the schema, left out where there are none. */
  readonly contradicts?: readonly string[];
  /** Ids of the passages that state it; beyond the schema, left out where there are none. */
  readonly passages?: readonly string[];
}

/** A rule as it stands in a rule set, schema version 1.0. */
export interface RulesetRule {
  readonly rule: string;
  readonly category: string;
  readonly context?: string;
  readonly antipattern?: string;
  readonly rationale?: string;
  readonly tags?: readonly string[];
  readonly provenance: RuleProvenance;
}

/** A rule set (seed), schema version 1.0: `schemas/seed.v1.schema.json`. */
export interface Ruleset {
  readonly persona: string;
  /** Raised by the persona's author; an integer of at least 1. */
  readonly version: number;
  readonly rules: readonly RulesetRule[];
  readonly metadata: {
    readonly source: string;
    readonly source_version?: string;
    /** ISO 8601. */
    readonly projected_at?: string;
    readonly rule_count: number;
  };
}

export interface RulesetOptions {
  readonly personaName: string;
  readonly version: number;
  /** Time of the graph state that the rules were read from. */
  readonly graphVersion?: string | undefined;
  readonly sourceVersion?: string | undefined;
  /** ISO 8601; left out when none. */
  readonly projectedAt?: string | undefined;
  /** Name of the origin system; `svc` when none. */
  readonly source?: string | undefined;
}

/** The options under the specification's names. */
export interface SpecifiedRulesetOptions {
  readonly persona_name: string;
  readonly version: number;
  readonly graph_version?: string | null;
  readonly source_version?: string | null;
}

/** Writes rules in the universal format: any consumer reads it by its JSON Schema. */
export class RulesetTarget implements Target<Ruleset> {
  private readonly options: RulesetOptions;

  constructor(options: RulesetOptions | SpecifiedRulesetOptions) {
    this.options =
      'persona_name' in options
        ? {
            personaName: options.persona_name,
            version: options.version,
            graphVersion: options.graph_version ?? undefined,
            sourceVersion: options.source_version ?? undefined,
          }
        : options;
  }

  serialize(rules: readonly EnrichedRule[]): Ruleset {
    const { personaName, version, graphVersion, sourceVersion } = this.options;
    const ruleset = serializeRuleset(rules, personaName, version, graphVersion, sourceVersion);
    const { projectedAt, source = SOURCE_NAME } = this.options;
    const metadata = { ...ruleset.metadata, source };
    return { ...ruleset, metadata: projectedAt === undefined ? metadata : { ...metadata, projected_at: projectedAt } };
  }
}

/** Returns the rule set of these rules. Throws `invalid_input` for an empty persona or a version that is no integer ≥ 1. */
export function serializeRuleset(
  rules: readonly EnrichedRule[],
  personaName: string,
  version: number,
  graphVersion?: string | null,
  sourceVersion?: string | null,
): Ruleset {
  const persona = oneLine(personaName);
  if (persona === '') throw new SvcError('invalid_input', 'persona must not be empty; give the persona a name.');
  if (!Number.isInteger(version) || version < 1) {
    throw new SvcError('invalid_input', 'version must be an integer of at least 1.');
  }
  return {
    persona,
    version,
    rules: rules.map((rule) => ruleToDict(rule, graphVersion)),
    metadata: {
      source: SOURCE_NAME,
      ...(sourceVersion === undefined || sourceVersion === null ? {} : { source_version: sourceVersion }),
      rule_count: rules.length,
    },
  };
}

/** Returns one rule as it stands in a rule set; texts are cleaned by `oneLine`. */
export function ruleToDict(enriched: EnrichedRule, graphVersion?: string | null): RulesetRule {
  const { rule } = enriched;
  const { metadata } = rule;
  const context = cleaned(enriched.context);
  const antipattern = cleaned(enriched.antipattern);
  const rationale = cleaned(enriched.rationale);
  const contradicts = contradictsOf(rule);
  const tags = enriched.tags.map(oneLine).filter((tag) => tag !== '');
  return {
    rule: oneLine(rule.text),
    category: oneLine(rule.category) || 'general',
    ...(context === undefined ? {} : { context }),
    ...(antipattern === undefined ? {} : { antipattern }),
    ...(rationale === undefined ? {} : { rationale }),
    ...(tags.length === 0 ? {} : { tags }),
    provenance: {
      id: rule.id,
      domain: rule.domain,
      derivation: rule.derivation,
      confidence: rule.confidence,
      ...(typeof metadata.relevance === 'number' ? { relevance: metadata.relevance } : {}),
      source_concepts: rule.source_concepts,
      relation_type: textOrNull(metadata.relation_type),
      template_id: textOrNull(metadata.template_id),
      template_variant: textOrNull(metadata.template_variant),
      template_severity: textOrNull(metadata.template_severity),
      graph_version: graphVersion ?? null,
      ...(contradicts.length === 0 ? {} : { contradicts }),
      ...(rule.passages === undefined ? {} : { passages: rule.passages }),
    },
  };
}

function cleaned(text: string | undefined): string | undefined {
  const clean = text === undefined ? '' : oneLine(text);
  return clean === '' ? undefined : clean;
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
