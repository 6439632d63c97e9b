import type { LedgerChange } from './change.js';
import type { LedgerRecords, RecordKind, RecordOf } from './records.js';

/** How far an engine follows the ledger; it lies in the engine, written by the transaction that it describes. */
export interface EngineCursor {
  /** Which ledger it follows: a data directory or database of its own has another one. */
  readonly ledger: string;
  /** Version of the last change applied. */
  readonly version: number;
  /** How far a resync came, null where the engine is whole. While it runs, changes are applied beside it. */
  readonly sync: SyncPosition | null;
}

/** Everything of kinds before `kind`, and of `kind` with a number up to `after`, agrees with the ledger. */
export interface SyncPosition {
  readonly kind: RecordKind;
  readonly after: number;
}

/** All visible records of one kind whose number is above `after` and at most `upTo`. */
export interface SyncRange<K extends RecordKind = RecordKind> {
  readonly kind: K;
  readonly after: number;
  /** `Number.MAX_SAFE_INTEGER` with the last range of a kind: whatever the engine has above it is removed. */
  readonly upTo: number;
  readonly records: ReadonlyArray<{
    readonly ref: number;
    /** Changes when, and only when, the record does; at most 24 characters. Kept beside the record in the engine. */
    readonly fingerprint: string;
    readonly record: RecordOf[K];
  }>;
}

export interface SyncOutcome {
  /** Records that were missing or different, and are as in the ledger now. */
  readonly written: number;
  /** Records that carried no fingerprint, so that nothing tells whether they differed: they were written again. */
  readonly rewritten: number;
  /** Records that the ledger does not have. */
  readonly removed: number;
}

/** How far a range of an engine is from the ledger. */
export interface RangeDifference {
  /** Records that the engine lacks. */
  readonly missing: number;
  /** Records that it has otherwise. */
  readonly different: number;
  /** Records that the ledger does not have. */
  readonly stale: number;
}

/**
 * An engine outside the store that follows the ledger. The three writing methods are compare-and-set: in one transaction
 * of the engine they read the stored cursor, do nothing and answer "not done" (false, null) where it is not `from`, and
 * else write and leave `to` as the cursor. So two replicas, a repetition or a crash can neither skip a step nor do one
 * twice. They throw `unavailable` where the engine does not answer; any other error counts as a refusal: the step is
 * divided until the records that the engine does not take are known. These are passed by, shown, and tried again later.
 */
export interface Follower {
  /** What status and warnings call it: `neo4j`, `qdrant`, `neo4j-text`. */
  readonly name: string;
  /** True where queries read it, so that an ingest waits for it. */
  readonly onQueryPath: boolean;
  /** The kinds of records that it keeps: a resync goes through these only. */
  readonly kinds: readonly RecordKind[];
  /** Returns the engine's cursor; null where it never followed a ledger. */
  cursor(): Promise<EngineCursor | null>;
  /** Sets the cursor and nothing else: where a resync begins. */
  move(step: { readonly from: EngineCursor | null; readonly to: EngineCursor }): Promise<boolean>;
  /** Applies one change, or with `to` equal to `from` a part of one. Never called with `change.everything`. */
  apply(step: ApplyStep): Promise<boolean>;
  /** Makes one range equal to the ledger, writing differences only. */
  sync(step: SyncStep): Promise<SyncOutcome | null>;
  /**
   * Counts in how many records of a range the engine differs from the ledger, and writes nothing. `before`: records of the
   * kind that it has in the ranges before. A record whose fingerprint is not written yet counts as equal.
   */
  compare(range: SyncRange, before: number): Promise<RangeDifference>;
}

export interface ApplyStep {
  readonly from: EngineCursor;
  readonly to: EngineCursor;
  readonly change: LedgerChange;
  readonly records: LedgerRecords;
}

export interface SyncStep {
  readonly from: EngineCursor;
  readonly to: EngineCursor;
  readonly range: SyncRange;
  readonly records: LedgerRecords;
}

/** What status shows of an engine. */
export interface FollowerStatus {
  readonly engine: string;
  /** `following`; `syncing` while a resync runs; `degraded` where the last step failed. */
  readonly state: 'following' | 'syncing' | 'degraded';
  /** Versions that it is behind; null where its cursor cannot be read. */
  readonly behind: number | null;
  readonly error: string | null;
  /** ISO 8601: since when it is degraded. */
  readonly since: string | null;
  /** Records that it does not take, at most 20 of them; absent where it takes all. They are tried again by themselves. */
  readonly refused?: { readonly count: number; readonly records: readonly RefusedRecord[] };
}

/** What status shows of a record that an engine does not take. */
export interface RefusedRecord {
  readonly kind: RecordKind;
  /** What people know the record by. */
  readonly id: string;
  readonly error: string;
  /** ISO 8601: when it was last refused. */
  readonly at: string;
}
