import type { Store } from '../../backends/store/scope.js';
import { type Clock, isoTime } from '../../core/clock.js';
import { SvcError } from '../../core/errors.js';
import type { LedgerChange } from '../change.js';
import { changesAfter, ledgerIdentity, ledgerVersion } from '../changes.js';
import type { EngineCursor, Follower, FollowerStatus, SyncOutcome } from '../follower.js';
import { entriesOf, joinChanges } from '../write/change-builder.js';
import { firstPosition, rangeAt } from './ranges.js';
import { recordReader } from './record-reader.js';

/** Entries up to which pending changes are joined into one step. */
const ENTRIES = 5000;
/** A change refused so often is passed by: the engine is made equal by ranges instead. */
const REFUSALS = 3;

export interface SyncProgress extends SyncOutcome {
  /** Records processed. */
  readonly seen: number;
}

/**
 * Keeps one engine up to date with the ledger, step by step: the next changes, or the next range of a resync. Each step
 * is one transaction of the engine; steps of one process never overlap, and the engine's cursor decides between
 * processes.
 */
export class FollowerRunner {
  /** As the engine has it, as far as is known; undefined where it must be read. */
  private cursor: EngineCursor | null | undefined;
  /** The last version that it is known to have, also while it does not answer. */
  private reached: number | null = null;
  private failure: { readonly error: SvcError | Error; readonly at: string } | undefined;
  private refusals = 0;
  private busy: Promise<unknown> = Promise.resolve();
  private progress = { seen: 0, written: 0, removed: 0 };

  constructor(
    readonly follower: Follower,
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  /** Returns true where the engine did not answer the last time it was called. */
  get isDown(): boolean {
    const error = this.failure?.error;
    return error instanceof SvcError && error.code === 'unavailable';
  }

  /** Returns true where the engine has this version and is whole. */
  has(version: number): boolean {
    return this.cursor != null && this.cursor.sync === null && this.cursor.version >= version;
  }

  get synced(): SyncProgress {
    return this.progress;
  }

  /** Follows until nothing is left to do; throws what stopped it. One call at a time works, others wait for it. */
  catchUp(): Promise<void> {
    return this.exclusive(async () => {
      while (await this.step()) {
        // One step after the other.
      }
    });
  }

  /** Begins a resync, or resumes one, and finishes when the engine equals the ledger. */
  resync(): Promise<SyncProgress> {
    return this.exclusive(async () => {
      const cursor = await this.known();
      if (cursor?.sync == null) {
        this.progress = { seen: 0, written: 0, removed: 0 };
        do await this.attempt(() => this.begin());
        while (this.cursor === undefined);
      }
      while (await this.step()) {
        // One step after the other.
      }
      return this.progress;
    });
  }

  async status(): Promise<FollowerStatus> {
    const { cursor, failure, reached } = this;
    const version = await ledgerVersion(this.store.db);
    return {
      engine: this.follower.name,
      state: failure !== undefined ? 'degraded' : cursor?.sync == null ? 'following' : 'syncing',
      behind: reached === null ? null : Math.max(0, version - reached),
      error: failure?.error.message ?? null,
      since: failure?.at ?? null,
    };
  }

  /**
   * Numbers of the nodes that changed after what the engine has applied, as a reader of `db` sees it; null where that is
   * not known: it is being resynced, or too far behind.
   */
  async unapplied(db: Store['db']): Promise<number[] | null> {
    const { cursor } = this;
    if (cursor == null || cursor.sync !== null) return null;
    const refs = new Set<number>();
    for (let { version } = cursor; ; ) {
      const changes = await changesAfter(db, version);
      if (changes === null || changes.some((change) => change.everything)) return null;
      if (changes.length === 0) return [...refs];
      for (const { records } of changes) for (const ref of records) refs.add(ref);
      version = changes.at(-1)!.version;
    }
  }

  private exclusive<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.busy.catch(() => undefined).then(work);
    this.busy = mine;
    return mine;
  }

  /** Does one step; false where there is none left. */
  private step(): Promise<boolean> {
    return this.attempt(async () => {
      const { db } = this.store;
      const cursor = await this.known();
      if (cursor === null || cursor.ledger !== (await ledgerIdentity(db))) return this.begin();
      const version = await ledgerVersion(db);
      // A ledger that was replaced by an older backup has other changes under numbers that the engine has seen.
      if (cursor.version > version) return this.begin();
      const changes = cursor.version === version ? [] : await changesAfter(db, cursor.version);
      if (changes === null || this.refusals >= REFUSALS || changes.some((change) => change.everything)) {
        return this.begin(this.refusals >= REFUSALS);
      }
      if (changes.length > 0) return this.apply(cursor, changes);
      return cursor.sync === null ? false : this.range(cursor);
    });
  }

  /** Sets the cursor where a resync begins: all changes so far are in what its ranges read. */
  private async begin(refused = false): Promise<boolean> {
    const { db } = this.store;
    const from = await this.known();
    const [ledger, version] = [await ledgerIdentity(db), await ledgerVersion(db)];
    const to = { ledger, version, sync: firstPosition(this.follower.kinds) };
    if (refused) this.refusals = 0;
    return this.moved(to, await this.follower.move({ from, to }));
  }

  private async apply(from: EngineCursor, changes: readonly LedgerChange[]): Promise<boolean> {
    const change = joinChanges(this.refusals > 0 ? changes.slice(0, 1) : together(changes));
    const to = { ...from, version: change.version };
    const step = { from, to, change, records: recordReader(this.store.db) };
    return this.moved(to, await this.follower.apply(step));
  }

  private async range(from: EngineCursor): Promise<boolean> {
    const { range, next } = await rangeAt(this.store.db, from.sync!, this.follower.kinds);
    const to = { ...from, sync: next };
    const outcome = await this.follower.sync({ from, to, range, records: recordReader(this.store.db) });
    if (outcome !== null) {
      const { seen, written, removed } = this.progress;
      this.progress = {
        seen: seen + range.records.length,
        written: written + outcome.written,
        removed: removed + outcome.removed,
      };
    }
    return this.moved(to, outcome !== null);
  }

  /** Notes what the engine did; where another process moved it, its cursor is read anew. */
  private moved(to: EngineCursor, done: boolean): true {
    this.cursor = done ? to : undefined;
    if (done) {
      this.refusals = 0;
      this.reached = to.version;
    }
    return true;
  }

  private async known(): Promise<EngineCursor | null> {
    if (this.cursor === undefined) {
      this.cursor = await this.follower.cursor();
      this.reached = this.cursor?.version ?? null;
    }
    return this.cursor;
  }

  private async attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      const done = await work();
      this.failure = undefined;
      return done;
    } catch (error) {
      this.cursor = undefined;
      const thrown = error instanceof Error ? error : new Error(String(error));
      const same = this.failure?.error.message === thrown.message;
      this.failure = { error: thrown, at: same ? this.failure!.at : isoTime(this.clock()) };
      if (!this.isDown) this.refusals += 1;
      throw error;
    }
  }
}

/** Returns the first of these changes that may go in one step. */
function together(changes: readonly LedgerChange[]): LedgerChange[] {
  const taken: LedgerChange[] = [];
  let entries = 0;
  for (const change of changes) {
    entries += entriesOf(change);
    if (taken.length > 0 && entries > ENTRIES) break;
    taken.push(change);
  }
  return taken;
}
