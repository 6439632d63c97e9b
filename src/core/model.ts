/** The language of the domain: what is stored, handed over and returned. Field names are those of the wire. */

/** JSON object as it travels in `properties`, `metadata` and filters. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

export type NodeKind = 'concept' | 'passage' | 'entity';
export type SourceKind = 'file' | 'upload' | 'text' | 'structured' | 'session' | 'row' | 'client' | 'system' | 'edits';

/**
 * Who asserts something. (domain, kind, key) is the identity; the public id is a hash of it, the label is for people.
 */
export interface SourceRef {
  readonly domain: string;
  readonly kind: SourceKind;
  readonly key: string;
  readonly label: string;
}

/** A concept as one source asserts it. Without `id` the normalised name is the identity. */
export interface ConceptAssertion {
  readonly id?: string;
  readonly name: string;
  readonly description?: string;
  readonly properties?: JsonObject;
  /** 0..1; default 1 for structured records, 0.6 for extraction without a model. */
  readonly confidence?: number;
}

/** A typed edge as one source asserts it; endpoints are names or ids, of this manifest or already in the domain. */
export interface EdgeAssertion {
  readonly source: string;
  readonly target: string;
  /** Stored upper-case, compared without case. */
  readonly relation: string;
  readonly confidence?: number;
  readonly properties?: JsonObject;
}

/** An explicit rule as one source asserts it. */
export interface RuleAssertion {
  readonly text: string;
  readonly name?: string;
  readonly category?: string;
  readonly confidence?: number;
  /** Names or ids of the concepts it is about; without it, concepts whose names occur in the text are linked. */
  readonly concepts?: readonly string[];
  readonly metadata?: JsonObject;
}

/**
 * A key that a passage is about, in the form of `nameKey` (core/text/keys.ts). Real titles win over aliases; see
 * `core/text/about.ts`. The key of a concept is `nameKey(name)`.
 */
export interface AboutKey {
  readonly key: string;
  readonly alias: boolean;
}

/** One mention in a passage: which key, in which sentence, at which token. */
export interface Mention {
  /** In the form of `nameKey` (core/text/keys.ts). */
  readonly key: string;
  /** The name as written, for the entity node's visible name. */
  readonly name: string;
  /** 0-based sentence number in the passage. */
  readonly sentence: number;
  /** 0-based token offset within the sentence, and length in tokens. */
  readonly token: number;
  readonly length: number;
}

/** The place of a message in its conversation. */
export interface MessageFields {
  readonly session_id: string;
  /** The caller's id of the message, where one was given. */
  readonly message_id?: string;
  readonly role: string;
  readonly speaker?: string;
  /** ISO 8601. */
  readonly timestamp?: string;
  /** 0-based turn in the session. */
  readonly turn: number;
}

/** A stretch of a document, about 100 to 200 words: the unit of retrieval of running text. Belongs to one source. */
export interface Passage {
  readonly id: string;
  /** Title or heading path; empty where there is none. */
  readonly title: string;
  readonly text: string;
  /** Character offsets [start, end) of the sentences of `text`. */
  readonly sentences: ReadonlyArray<readonly [number, number]>;
  readonly about: readonly AboutKey[];
  /** Position within its source. */
  readonly order: number;
  readonly message?: MessageFields;
  /** Filled in by linking (`ingest/link.ts`) before the graph is written. */
  readonly mentions?: readonly Mention[];
}

/** The hand-over value: files, text, structured input, messages and database rows all become one of these. */
export interface Manifest {
  readonly domain: string;
  readonly source: SourceRef;
  /** Hash of the whole input; the same hash again is a no-op. */
  readonly content_hash: string;
  readonly concepts: readonly ConceptAssertion[];
  readonly edges: readonly EdgeAssertion[];
  readonly rules: readonly RuleAssertion[];
  readonly passages: readonly Passage[];
  readonly warnings: readonly string[];
  /** True for a session: adds to what the source asserts instead of replacing it. */
  readonly append?: boolean;
  /**
   * With `append`: ids of passages of this source to remove. Those it does not have, or is given here, are passed over.
   */
  readonly without?: readonly string[];
  /**
   * Set on a piece of a source that is written in steps (with `append`): what it gives replaces what the source asserted of
   * the same things, whatever its confidence, and these assertions of the source go.
   */
  readonly piece?: { readonly retracted: RetractedAssertions };
  /** Passages of other sources whose mentions changed because about-keys were added or removed (set by linking). */
  readonly rematched?: ReadonlyArray<{ readonly id: string; readonly mentions: readonly Mention[] }>;
}

/** Assertions of a source that go: ids of concepts, row numbers of edges and rules. */
export interface RetractedAssertions {
  readonly concepts: readonly string[];
  readonly edges: readonly number[];
  readonly rules: readonly number[];
}

/** A node as it is visible: derived from its assertions. */
export interface GraphNode {
  readonly id: string;
  readonly kind: NodeKind;
  /** Concept or entity name; a passage's title. */
  readonly name: string;
  /** Concept description; a passage's text. */
  readonly description: string;
  readonly domain: string;
  readonly confidence: number;
  readonly properties: JsonObject;
  /** Set on passages. */
  readonly passage?: PassageFields;
}

export interface PassageFields {
  readonly source_id: string;
  readonly order: number;
  readonly sentences: ReadonlyArray<readonly [number, number]>;
  readonly about: readonly AboutKey[];
  readonly message?: MessageFields;
}

/** A typed edge as it is visible. Self-loops are stored and ignored by PageRank. */
export interface GraphEdge {
  /** `<source_id>|<RELATION>|<target_id>`. */
  readonly id: string;
  readonly source_id: string;
  readonly target_id: string;
  readonly relation_type: string;
  readonly confidence: number;
  readonly properties: JsonObject;
}

/** An explicit or derived rule as it is visible. */
export interface GraphRule {
  readonly id: string;
  readonly text: string;
  readonly domain: string;
  readonly category: string;
  readonly confidence: number;
  readonly derivation: 'explicit' | 'derived';
  /** Ids of the concepts it is about; where it names none, of the passages that state it. */
  readonly source_concepts: readonly string[];
  /** Ids of the passages that state it, where it was found in text: it comes with them. */
  readonly passages?: readonly string[];
  readonly metadata: JsonObject;
}

export interface DomainInfo {
  readonly name: string;
  readonly description: string;
  /** Concepts and entities; passages are counted apart. */
  readonly concept_count: number;
  /** Typed edges; an edge counts for the domain of its source node. */
  readonly edge_count: number;
  readonly rule_count: number;
  readonly passages: number;
}

/** What a source asserts now, for the documents list. */
export interface SourceInfo {
  readonly source_id: string;
  readonly domain: string;
  readonly kind: SourceKind;
  readonly key: string;
  readonly label: string;
  readonly content_hash: string;
  readonly concepts: number;
  readonly edges: number;
  readonly rules: number;
  readonly passages: number;
  /** ISO 8601. */
  readonly updated_at: string;
}

/** Returns the edge id from its key. */
export function edgeId(sourceId: string, relation: string, targetId: string): string {
  return `${sourceId}|${relation}|${targetId}`;
}

/** Returns the ids of all nodes that a rule touches. */
export function touchedBy({
  source_concepts,
  passages = [],
}: Pick<GraphRule, 'source_concepts' | 'passages'>): string[] {
  return [...new Set([...source_concepts, ...passages])];
}
