import type { GraphRule, NodeKind } from '../../core/model.js';

export interface NodeFilter {
  readonly domain?: string;
  readonly pattern?: string;
  readonly kind?: NodeKind;
  readonly limit?: number;
  /** Nodes after this id, for paging. */
  readonly after?: string;
}

export interface EdgeFilter {
  readonly source_id?: string;
  readonly target_id?: string;
  /** Both endpoints are among these nodes; with none there is no edge. */
  readonly among?: readonly string[];
  /** The domain of the source node. */
  readonly domain?: string;
  readonly limit?: number;
}

export interface RuleFilter {
  /** Only these rules. */
  readonly ids?: readonly string[] | undefined;
  readonly domains?: readonly string[] | undefined;
  /** Only rules that touch one of these nodes. */
  readonly concept_ids?: readonly string[] | undefined;
  readonly categories?: readonly string[] | undefined;
  readonly include_derived?: boolean | undefined;
  readonly min_confidence?: number | undefined;
  /** At most this many, ordered by id. */
  readonly limit?: number | undefined;
}

/** A page of rules, ordered by id. */
export interface RulePage {
  readonly rules: readonly GraphRule[];
  /** Rules that the filter finds, and their distinct domains. */
  readonly total: number;
  readonly domain_count: number;
}

export interface SourceFilter {
  readonly domain?: string;
  readonly domains?: readonly string[];
  readonly kind?: string;
  /** Keys that start with this: a whole database, a table. */
  readonly key_prefix?: string;
  /** Keys that end with this (ASCII). */
  readonly key_suffix?: string;
  readonly source_id?: string;
  readonly limit?: number;
  /** Sources after this id, for paging. */
  readonly after?: string;
}
