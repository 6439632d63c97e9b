import type { WriteScope } from '../../backends/store/scope.js';
import type { Clock } from '../../core/clock.js';
import type { SourceInfo } from '../../core/model.js';
import type { IndexPorts } from './sync-indexes.js';

/** What every write of ingest works on. */
export interface LoadPorts extends IndexPorts {
  readonly clock: Clock;
}

/** Passages of a document on their way into the store. */
export interface PassageCounts {
  readonly parsed: number;
  readonly embedded: number;
  /** Zero until the end where the document is written in one step. */
  readonly written: number;
}

export interface LoadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Receives how far the work is: a count and its end, a sentence, and the passages of a document once it is parsed. */
  readonly progress?:
    | ((done: number, total: number | undefined, message: string, passages?: PassageCounts) => void)
    | undefined;
  /** False where the caller makes a later write that waits for the disk, and repeats this one if that never came. */
  readonly durable?: boolean | undefined;
  /** What the store has of the source, where the caller has just read it. */
  readonly stored?: StoredSource | undefined;
  /** For one message of a session. */
  readonly turn?: TurnWrite | undefined;
}

/** Callbacks of a message's write, called while nobody else writes to its domain. */
export interface TurnWrite {
  /** Runs first inside the write: verifies that the turn is the message's. An error ends the load. */
  verify(scope: WriteScope): Promise<void>;
  /** Returns passages of an earlier text of the message, which this write removes. */
  stale(scope?: WriteScope): Promise<string[]>;
}

/** What the store has of a source. */
export interface StoredSource {
  readonly source: SourceInfo | undefined;
  /** The result where it says already what it is to say. */
  readonly unchanged: LoadResult | null;
}

/** Result of an ingest: counts of what now exists because of this source. */
export interface LoadResult {
  readonly domain: string;
  readonly source: string;
  readonly source_id: string;
  readonly concepts: number;
  readonly edges: number;
  readonly rules: number;
  readonly passages: number;
  readonly warnings: string[];
  readonly unchanged?: true;
}
