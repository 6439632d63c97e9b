import type { WriteScope } from '../backends/store/scope.js';
import type { AboutKey, Manifest, Mention } from '../core/model.js';

/** What a manifest did to the visible graph, so that text and vectors can follow. */
export interface GraphDelta {
  readonly source_id: string;
  /** True when the same content was there already: nothing was written. */
  readonly unchanged: boolean;
  /** Returnable nodes (concepts, passages) that are new or whose name, title or text changed. */
  readonly changed: readonly string[];
  /** Nodes that no longer exist, or are now bare entities: text and vector indexes drop them. */
  readonly removed: readonly string[];
  /** What now exists because of this source. */
  readonly concepts: number;
  readonly edges: number;
  readonly rules: number;
  readonly passages: number;
  /** Sentences for the caller, for example pending edges, an endpoint of which is missing. */
  readonly warnings: readonly string[];
  /**
   * Keys of the domain that became or ceased to be active (a title or concept name, or an alias shared by 1..3 passages
   * where no title has it), by comparing before and after. Linking matches the sentences that hold them again.
   */
  readonly keys: readonly string[];
}

/** What a write did to the nodes and keys of its domain. */
export type Effects = Pick<GraphDelta, 'changed' | 'removed' | 'keys'>;

/** State of a key (`nameKey` of a name, core/text/keys.ts) in one domain. */
export interface KeyInfo {
  readonly domain: string;
  readonly key: string;
  /** Nodes whose title or name it is. */
  readonly titles: number;
  /** Passages that carry it as an alias only. */
  readonly aliases: number;
  /** Passages that mention it or are about it. */
  readonly documentFrequency: number;
  /** Passages and concepts about it: titles, or aliases where no title has it. At most 50, by id. */
  readonly about: readonly string[];
  /** Id of the concept that stands for it in place of an entity of that name; only where an edit gave the concept a name. */
  readonly renamed?: string;
}

/** Passages by id with the mentions that take the place of those they had. */
export type Mentions = NonNullable<Manifest['rematched']>;

/** A passage as linking needs it. */
export interface PassageRecord {
  readonly id: string;
  readonly source_id: string;
  readonly title: string;
  readonly text: string;
  readonly sentences: ReadonlyArray<readonly [number, number]>;
  readonly about: readonly AboutKey[];
  readonly mentions: readonly Mention[];
}

/** The source that a visible record comes from. */
export interface NodeSource {
  readonly source_id: string;
  readonly label: string;
}

export interface CheckpointInfo {
  readonly id: string;
  readonly created_at: string;
  readonly version: number;
  readonly nodes: number;
  readonly edges: number;
}

/** Ids of returnable nodes that a restore made differ from the graph before it, each list in order. */
export interface Restored {
  /** New, or with another name, title or text. */
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

export interface IngestOptions {
  /**
   * Runs in the same write once the graph is as the manifests say and before the sources are counted, so that names which it links
   * count. Receives a domain and what changed of its sources; is not called where nothing did.
   */
  readonly linked?: ((domain: string, effects: Effects) => Promise<void>) | undefined;
  /** False where the caller reads no counts: the deltas have none then. */
  readonly counted?: boolean | undefined;
}

export interface ForgetOptions {
  readonly rematched?: Mentions | undefined;
  readonly scope?: WriteScope;
}

export interface GraphStatistics {
  readonly domains: number;
  readonly concepts: number;
  readonly passages: number;
  readonly edges: number;
  readonly rules: number;
}
