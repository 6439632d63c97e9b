import type { GraphRule, NodeKind, SourceInfo } from '../../core/model.js';

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
  /** Together with `kind`: an index finds it. */
  readonly key?: string;
  readonly source_id?: string;
  readonly limit?: number;
  /** Sources after this id, for paging. */
  readonly after?: string;
}

/** Which keys of sources to read; a kind's keys may be paths, such as a database, a table and a row. */
export interface SourceKeyFilter {
  readonly kind: SourceInfo['kind'];
  /** What the keys start with; ends in a slash. */
  readonly prefix: string;
  /** Default: all domains. */
  readonly domain?: string | undefined;
  /** Only what comes after this, by domain and key: the last of the page before. */
  readonly after?: { readonly domain: string; readonly key: string } | undefined;
  readonly limit: number;
}

export type SourceKeyInfo = Pick<SourceInfo, 'source_id' | 'domain' | 'key'>;
