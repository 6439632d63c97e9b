import type { JsonObject, MessageFields, NodeKind } from '../core/model.js';
import type { EdgeName, RuleName } from './change.js';

/** A source that asserts something, as people know it. */
export interface RecordSource {
  /** Public source id. */
  readonly id: string;
  /** File name, title or given name. */
  readonly label: string;
}

export interface DomainRecord {
  readonly ref: number;
  readonly name: string;
  readonly description: string;
}

/** A node as it is visible now. */
export interface NodeRecord {
  readonly ref: number;
  /** Starts with the domain's name and a colon. */
  readonly id: string;
  /** Number and name of its domain. */
  readonly domain: number;
  readonly domain_name: string;
  readonly kind: NodeKind;
  /** fnv1a of the id: the sample order. */
  readonly hash: number;
  /** Name of a concept or entity; title of a passage. */
  readonly name: string;
  /** Description of a concept; text of a passage; empty for an entity. */
  readonly description: string;
  readonly confidence: number;
  readonly properties: JsonObject;
  /** Of a passage: its place in its source, and where it stands in a conversation. */
  readonly order: number | null;
  readonly message: MessageFields | null;
  /** Every source that asserts it, ordered by id; none for an entity. */
  readonly sources: readonly RecordSource[];
}

/** A typed edge as it is visible now. */
export interface EdgeRecord {
  /** Number of the visible assertion; another one when another source's assertion becomes the visible one. */
  readonly ref: number;
  /** `<source id>|<RELATION>|<target id>`: the identity. */
  readonly id: string;
  readonly src: number;
  readonly dst: number;
  readonly relation: string;
  readonly confidence: number;
  readonly properties: JsonObject;
  readonly sources: readonly RecordSource[];
}

/** An explicit rule as it is visible now. */
export interface RuleRecord {
  /** Number of the visible assertion. */
  readonly ref: number;
  /** Number and name of its domain; with the id, its identity. */
  readonly domain: number;
  readonly domain_name: string;
  readonly id: string;
  readonly text: string;
  readonly category: string;
  readonly confidence: number;
  readonly metadata: JsonObject;
  /** Numbers of the concepts it touches. */
  readonly concepts: readonly number[];
  readonly sources: readonly RecordSource[];
}

/** A key that something mentions. */
export interface KeyRecord {
  readonly ref: number;
  readonly domain: number;
  /** In the form of `nameKey`. */
  readonly key: string;
  /** The node that stands for it. */
  readonly node: number;
  /** Node → 0 about it by title or name, 1 by an alias only. */
  readonly about: ReadonlyMap<number, number>;
}

/** What a passage mentions: key number → how often. */
export interface MentionRecord {
  /** Number of the passage. */
  readonly ref: number;
  readonly keys: ReadonlyMap<number, number>;
}

/** What can be resynced apart from the others, in the order in which it is: later ones point at earlier ones. */
export const RECORD_KINDS = ['domain', 'node', 'key', 'mention', 'edge', 'rule'] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

export interface RecordOf {
  readonly domain: DomainRecord;
  readonly node: NodeRecord;
  readonly key: KeyRecord;
  readonly mention: MentionRecord;
  readonly edge: EdgeRecord;
  readonly rule: RuleRecord;
}

/**
 * The visible records as they are at the moment of the call, never older than the change that named them. What is not
 * (or no longer) visible is left out of the answer. Any number of items may be given; order of the answers: any.
 */
export interface LedgerRecords {
  domains(refs: Iterable<number>): Promise<DomainRecord[]>;
  nodes(refs: Iterable<number>): Promise<NodeRecord[]>;
  keys(refs: Iterable<number>): Promise<KeyRecord[]>;
  mentions(passages: Iterable<number>): Promise<MentionRecord[]>;
  edges(names: Iterable<EdgeName>): Promise<EdgeRecord[]>;
  rules(names: Iterable<RuleName>): Promise<RuleRecord[]>;
}
