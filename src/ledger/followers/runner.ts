import type { Store } from '../../backends/store/scope.js';
import { type Clock, isoTime } from '../../core/clock.js';
import { isUnavailable } from '../../core/errors.js';
import type { LedgerChange } from '../change.js';
import { changesAfter, ledgerIdentity, ledgerVersion, nodesChangedAfter } from '../changes.js';
import type { EngineCursor, Follower, FollowerStatus, SyncOutcome, SyncStep } from '../follower.js';
import { joinChanges, together } from '../write/change-builder.js';
import { type ChangeEntry, entriesIn, nameOf } from './change-entries.js';
import { compareEngine, type EngineDifference } from './compare.js';
import { PassedBy } from './passed-by.js';
import { applyPiecewise, asError } from './piecewise.js';
import { firstPosition, RANGE, rangeAt } from './ranges.js';
import { recordReader } from './record-reader.js';
import { Refusals } from './refusals.js';
import { RefusedRetries } from './retry-refused.js';
import { TakenOver } from './taken-over.js';

/** How long a record that was refused rests until it is tried again, ms. */
const RETRY_MS = 600_000;
/** How long a cursor that was read or moved counts as known, ms: others may have emptied the engine or taken it over. */
const KNOWN_MS = 10_000;
/** Refused records that status shows. */
const SHOWN = 20;

export interface SyncProgress extends SyncOutcome {
  /** Records processed. */
  readonly seen: number;
}

const NOTHING_YET: SyncProgress = { seen: 0, written: 0, rewritten: 0, removed: 0 };

/**
 * Keeps one engine up to date with the ledger, step by step: the next changes, or the next range of a resync. Each step
 * is one transaction of the engine; steps of one process never overlap, and the engine's cursor decides between
 * processes.
 */
export class FollowerRunner {
  /** As the engine has it, as far as is known; undefined where it must be read. */
  private cursor: EngineCursor | null | undefined;
  private cursorAt = 0;
  /** True once the engine was seen to follow this ledger: nobody else's may be there after that. */
  private isOurs = false;
  /** The last version that it is known to have, also while it does not answer. */
  private reached: number | null = null;
  private failure: { readonly error: Error; readonly at: string } | undefined;
  private readonly refusals: Refusals;
  private readonly passed: PassedBy;
  private readonly retries: RefusedRetries;
  /** Records of the next range. */
  private size = RANGE;
  private busy: Promise<unknown> = Promise.resolve();
  /** Called when the engine has got further. */
  onMoved: () => void = () => undefined;
  private progress = NOTHING_YET;

  constructor(
    readonly follower: Follower,
    private readonly store: Store,
    private readonly clock: Clock,
    restMs = RETRY_MS,
  ) {
    this.refusals = new Refusals(store, follower.name, clock);
    this.passed = new PassedBy(store, this.refusals);
    this.retries = new RefusedRetries(follower, { store, refusals: this.refusals, clock, restMs });
  }

  /** Returns true where the engine did not answer the last time it was called. */
  get isDown(): boolean {
    return isUnavailable(this.failure?.error);
  }

  /** Why it is not there although it answers; null where that is not so. */
  get takenOver(): TakenOver | null {
    const error = this.failure?.error;
    return error instanceof TakenOver ? error : null;
  }

  /** Returns true where the engine has this version and is whole. */
  has(version: number): boolean {
    return this.cursor != null && this.cursor.sync === null && this.cursor.version >= version;
  }

  get synced(): SyncProgress {
    return this.progress;
  }

  /** Follows until nothing is left to do, or `isStopped` says so; throws what stopped it. Others wait for it meanwhile. */
  catchUp(isStopped = () => false): Promise<void> {
    return this.exclusive(async () => {
      while (!isStopped() && (await this.step()));
    });
  }

  /** Begins a resync, or resumes one, and finishes when the engine equals the ledger. */
  resync(): Promise<SyncProgress> {
    return this.exclusive(async () => {
      const cursor = await this.known();
      if (cursor?.sync == null || cursor.ledger !== (await ledgerIdentity(this.store.db))) {
        this.progress = NOTHING_YET;
        do await this.attempt(() => this.begin());
        while (this.cursor === undefined);
      }
      while (await this.step());
      return this.progress;
    });
  }

  /** Counts in how many records the engine differs from the ledger; mends nothing. */
  compare(): Promise<EngineDifference> {
    return compareEngine(this.follower, this.store.db, () => this.catchUp());
  }

  async status(): Promise<FollowerStatus> {
    const { cursor, failure, reached } = this;
    const version = await ledgerVersion(this.store.db);
    const refused = await this.refusals.list();
    const records = refused.slice(-SHOWN).map(({ name: _, ...record }) => record);
    return {
      engine: this.follower.name,
      state: failure !== undefined ? 'degraded' : cursor?.sync == null ? 'following' : 'syncing',
      behind: reached === null ? null : Math.max(0, version - reached),
      error: failure?.error.message ?? null,
      since: failure?.at ?? null,
      ...(refused.length === 0 ? {} : { refused: { count: refused.length, records } }),
    };
  }

  /** Returns the numbers of the nodes that changed after what the engine has, as `db` sees it; null where that is not known. */
  async unapplied(db: Store['db']): Promise<number[] | null> {
    const { cursor } = this;
    return cursor == null || cursor.sync !== null ? null : nodesChangedAfter(db, cursor.version);
  }

  private exclusive<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.busy
      .catch(() => undefined)
      .then(() => {
        this.passed.tookSome();
        return work();
      });
    this.busy = mine;
    return mine;
  }

  /** Does one step; false where there is none left. */
  private step(): Promise<boolean> {
    return this.attempt(async () => {
      const { db } = this.store;
      const cursor = await this.known();
      if (cursor === null) return this.begin();
      if (cursor.ledger !== (await ledgerIdentity(db))) {
        // Two services on one engine would write it anew over each other for ever: whoever was there first gives way.
        if (!this.isOurs) return this.begin();
        this.reached = null;
        throw new TakenOver(this.follower.name);
      }
      this.isOurs = true;
      const version = await ledgerVersion(db);
      // A ledger that was replaced by an older backup has other changes under numbers that the engine has seen.
      if (cursor.version > version) return this.begin();
      const changes = cursor.version === version ? [] : await changesAfter(db, cursor.version);
      if (changes === null || changes.some((change) => change.everything)) return this.begin();
      if (changes.length > 0) return this.apply(cursor, changes);
      return cursor.sync === null ? this.retry(cursor) : this.range(cursor);
    });
  }

  /** Sets the cursor where a resync begins: all changes so far are in what its ranges read. It ends with what was refused. */
  private async begin(): Promise<boolean> {
    this.retries.soon();
    const { db } = this.store;
    const from = await this.known();
    const [ledger, version] = [await ledgerIdentity(db), await ledgerVersion(db)];
    const to = { ledger, version, sync: firstPosition(this.follower.kinds) };
    return this.moved(to, await this.follower.move({ from, to }));
  }

  private async apply(from: EngineCursor, changes: readonly LedgerChange[]): Promise<boolean> {
    const change = joinChanges(together(changes));
    const to = { ...from, version: change.version };
    const records = recordReader(this.store.db);
    try {
      const done = await this.follower.apply({ from, to, change, records });
      if (done) await this.retries.accepted(() => entriesIn(change));
      return this.moved(to, done);
    } catch (error) {
      if (isUnavailable(error)) throw error;
    }
    const entries = entriesIn(change);
    const refused = new Set<ChangeEntry>();
    const done = await applyPiecewise(this.follower, {
      ...{ from, change, entries, records },
      refuse: (entry, error) => {
        refused.add(entry);
        return this.refuse(entry, error);
      },
      taken: () => this.passed.tookSome(),
    });
    if (done) await this.retries.accepted(() => entries.filter((entry) => !refused.has(entry)));
    return this.moved(to, done && (await this.follower.move({ from, to })));
  }

  /** Passes an entry by; throws where the engine must be broken. A resync then begins anew: its ranges left entries out. */
  private async refuse(entry: Pick<ChangeEntry, 'kind' | 'name'>, error: Error): Promise<void> {
    if (await this.passed.add(entry, error)) return;
    if (this.cursor?.sync != null) await this.begin();
    await this.passed.takeBack();
    throw error;
  }

  /** Tries once more one of those that were refused; false where none is left. */
  private async retry(from: EngineCursor): Promise<boolean> {
    const outcome = await this.retries.next(from);
    return outcome === 'overtaken' ? this.moved(from, false) : outcome === 'more';
  }

  private async range(from: EngineCursor): Promise<boolean> {
    const { kinds } = this.follower;
    const { range, next } = await rangeAt(this.store.db, from.sync!, { kinds, size: this.size });
    const to = { ...from, sync: next };
    const outcome = await this.syncOrDivide({ from, to, range, records: recordReader(this.store.db) });
    if (outcome === 'smaller') return true;
    this.size = Math.min(RANGE, this.size * 2);
    if (outcome !== null) {
      const { seen, written, rewritten, removed } = this.progress;
      this.progress = {
        seen: seen + range.records.length,
        written: written + outcome.written,
        rewritten: rewritten + outcome.rewritten,
        removed: removed + outcome.removed,
      };
    }
    return this.moved(to, outcome !== null);
  }

  /** Writes a range; `smaller` where the engine refuses it, so that half of it is next. A single record is passed by. */
  private async syncOrDivide(step: SyncStep): Promise<SyncOutcome | null | 'smaller'> {
    const { range, from } = step;
    const [only] = range.records;
    try {
      const outcome = await this.follower.sync(step);
      if (only !== undefined) this.passed.tookSome();
      return outcome;
    } catch (error) {
      if (isUnavailable(error) || only === undefined) throw error;
      if (range.records.length > 1) {
        this.size = Math.ceil(range.records.length / 2);
        return 'smaller';
      }
      if (!(await this.follower.move({ from, to: from }))) return null;
      await this.refuse({ kind: range.kind, name: nameOf(range.kind, only.record) }, asError(error));
      return this.follower.sync({ ...step, range: { ...range, records: [] } });
    }
  }

  /** Notes what the engine did; where another process moved it, its cursor is read anew. */
  private moved(to: EngineCursor, done: boolean): true {
    this.cursor = done ? to : undefined;
    if (done) {
      this.cursorAt = this.clock();
      this.reached = to.version;
      this.onMoved();
    }
    return true;
  }

  private async known(): Promise<EngineCursor | null> {
    const now = this.clock();
    if (this.cursor === undefined || now - this.cursorAt >= KNOWN_MS) {
      this.cursor = await this.follower.cursor();
      this.cursorAt = now;
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
      const thrown = asError(error);
      const same = this.failure?.error.message === thrown.message;
      this.failure = { error: thrown, at: same ? this.failure!.at : isoTime(this.clock()) };
      throw error;
    }
  }
}
