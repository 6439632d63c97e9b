import type { GraphRule } from '../core/model.js';

/** Which rules to project; members left out select everything. */
export interface RuleFilters {
  readonly categories?: readonly string[] | undefined;
  readonly concept_ids?: readonly string[] | undefined;
  readonly include_derived?: boolean | undefined;
  /** 0..1. */
  readonly min_confidence?: number | undefined;
}

/** Where rules come from. */
export interface RuleSource {
  /** Returns rules ordered by id. Throws `domain_not_found` for a domain that does not exist; all domains when none. */
  derive(domains?: readonly string[], filters?: RuleFilters): Promise<GraphRule[]>;
}

/** A rule with what helps a reader to apply it. Members without content are left out. */
export interface EnrichedRule {
  readonly rule: GraphRule;
  /** When the rule applies. */
  readonly context?: string;
  /** What a violation looks like. */
  readonly antipattern?: string;
  /** Why it matters. */
  readonly rationale?: string;
  readonly tags: readonly string[];
}

/** Adds context, antipattern, rationale and tags to rules. */
export interface Enricher {
  /** Returns one enriched rule for each rule, in order. */
  enrich(rules: readonly GraphRule[]): Promise<EnrichedRule[]>;
}

/** A format that rules are written in. */
export interface Target<Output> {
  serialize(rules: readonly EnrichedRule[]): Output;
}
