/** How a node takes part in the topology. */
export interface NodeMark {
  /** Number of its domain. */
  readonly domain: number;
  /** 0 concept, 1 passage, 2 entity. */
  readonly kind: number;
  /** fnv1a of its id: the sample order, which decides which of too many are kept. */
  readonly hash: number;
}

/** A visible edge assertion; the same edge may be asserted by several sources, one of them is visible. */
export interface EdgeMark {
  /** Numbers of the nodes that the edge joins. */
  readonly src: number;
  readonly dst: number;
  /** Upper case. */
  readonly relation: string;
  /** Null where this assertion is no longer the visible one (another number of the same edge may be). */
  readonly confidence: number | null;
}

/** Names a visible edge. */
export type EdgeName = Omit<EdgeMark, 'confidence'>;

/** Returns a text that identifies an edge. */
export function edgeName({ src, dst, relation }: EdgeName): string {
  return `${src} ${dst} ${relation}`;
}

/** Names a rule: the same id may exist in two domains. */
export interface RuleName {
  /** Number of the domain. */
  readonly domain: number;
  readonly id: string;
}

/** Returns a text that identifies a rule. */
export function ruleName({ domain, id }: RuleName): string {
  return `${domain} ${id}`;
}

/**
 * What the writes after version `from`, up to and including `version`, changed. Numbers (`ref`) are the ledger's row
 * numbers: a number never stands for another thing, not even after a restore. The change names what is different; each
 * entry is the last word on what it names, so that applying it twice, or over a newer state, does no harm. Texts are
 * not in it: a follower that keeps them reads the visible records of the numbers (`LedgerRecords`) as they are then.
 */
export interface LedgerChange {
  /** Version that an engine must have to apply it: `version - 1`, or less where several changes were joined. */
  readonly from: number;
  /** Version that the engine has afterwards. */
  readonly version: number;
  /** True where a restore replaced everything: nothing else is listed; a follower is resynced. */
  readonly everything: boolean;
  /** Domains that no longer exist, number → name. Everything in them is removed and is not listed one by one. */
  readonly removedDomains: ReadonlyMap<number, string>;
  /** Nodes that were added or changed kind; null: removed (its id is in `removedNodes`). */
  readonly nodes: ReadonlyMap<number, NodeMark | null>;
  /** Ids of the removed nodes, by number, except those of `removedDomains`. */
  readonly removedNodes: ReadonlyMap<number, string>;
  /** Nodes whose record (name, description, confidence, properties, sources) may be another; new ones are among them. */
  readonly records: ReadonlySet<number>;
  /**
   * Key number → node that stands for it (an entity, or the concept of that name); null: nothing mentions the key any
   * more, so that it makes no arcs. Only keys that something mentions are listed here and below.
   */
  readonly keyNodes: ReadonlyMap<number, number | null>;
  /** Passage (not a removed one) → all keys that it mentions from now on → how often. */
  readonly mentions: ReadonlyMap<number, ReadonlyMap<number, number>>;
  /** Key → node → whether the node is about it: 0 by title or name, 1 by an alias only, null no longer. */
  readonly about: ReadonlyMap<number, ReadonlyMap<number, number | null>>;
  /** Assertion number of a visible edge → what it joins. */
  readonly edges: ReadonlyMap<number, EdgeMark>;
  /** Edges whose record (confidence, properties, sources) may be another though the visible assertion stayed. */
  readonly edgeRecords: readonly EdgeName[];
  /** Rules that were added, changed or removed, or touch other concepts. */
  readonly rules: readonly RuleName[];
}
