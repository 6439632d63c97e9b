import { wrongMember } from '../../core/errors.js';
import type { GraphRule, NodeKind, SourceInfo } from '../../core/model.js';

export interface NodeFilter {
  readonly domain?: string;
  readonly pattern?: string;
  /** A whole name as `normaliseName` returns it. */
  readonly norm?: string;
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
  /** At most 1000; not together with `limit`. */
  readonly source_ids?: readonly string[];
  readonly limit?: number;
  /** Sources after this id, for paging. */
  readonly after?: string;
  /** With labels by which files of one name can be told apart. */
  readonly distinctLabels?: boolean;
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

type MemberType = 'text' | 'texts' | 'number' | 'boolean';
type MemberTypes<F> = Readonly<Record<keyof F, MemberType>>;

export const NODE_FILTER: MemberTypes<NodeFilter> = {
  domain: 'text',
  pattern: 'text',
  norm: 'text',
  kind: 'text',
  limit: 'number',
  after: 'text',
};
export const EDGE_FILTER: MemberTypes<EdgeFilter> = {
  source_id: 'text',
  target_id: 'text',
  among: 'texts',
  domain: 'text',
  limit: 'number',
};
export const RULE_FILTER: MemberTypes<RuleFilter> = {
  ids: 'texts',
  domains: 'texts',
  concept_ids: 'texts',
  categories: 'texts',
  include_derived: 'boolean',
  min_confidence: 'number',
  limit: 'number',
};

const IS: Readonly<Record<MemberType, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  texts: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  number: (value) => typeof value === 'number' && !Number.isNaN(value),
  boolean: (value) => typeof value === 'boolean',
};
const MUST: Readonly<Record<MemberType, string>> = {
  text: 'a text',
  texts: 'a list of texts',
  number: 'a number',
  boolean: 'true or false',
};

/** Returns a filter without null members. `invalid_input` where it is none, or a member is unknown or wrong. */
export function checkedFilter<F extends object>(filter: F | null, types: MemberTypes<F>): F {
  if (filter === null) return {} as F;
  if (typeof filter !== 'object' || Array.isArray(filter)) wrongMember('filter', `must be an object; ${known(types)}`);
  const given: Record<string, unknown> = {};
  for (const [member, value] of Object.entries(filter)) {
    if (!Object.hasOwn(types, member)) wrongMember(member, `is not a member of this filter; ${known(types)}`);
    if (value === undefined || value === null) continue;
    const type = types[member as keyof F];
    if (!IS[type](value)) wrongMember(member, `must be ${MUST[type]}`);
    given[member] = value;
  }
  return given as F;
}

function known(types: object): string {
  return `it has ${Object.keys(types).join(', ')}`;
}
