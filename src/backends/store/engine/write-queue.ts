import type { Kysely } from 'kysely';
import { slicer } from '../../../core/async/slices.js';
import type { Database } from '../schema.js';
import type { WriteScope } from '../scope.js';

/** Transaction control of one writer connection. */
export interface TransactionControl {
  /** Resolves when the next transaction may begin. */
  room(): Promise<void>;
  begin(): void;
  /** Does not wait for the disk. */
  commit(): void;
  /** Resolves when all that was committed before is on the disk; rejects where the disk fails. */
  synced(): Promise<void>;
  rollback(): void;
  savepoint(): void;
  release(): void;
  undo(): void;
}

interface QueuedWrite {
  readonly durable: boolean;
  readonly work: (scope: WriteScope) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Finished {
  readonly job: QueuedWrite;
  readonly value: unknown;
  readonly actions: ReadonlyArray<() => void>;
}

/** Thrown where a write that failed could not be undone alone, so that the group's transaction is undone with it. */
class UndoFailed extends Error {}

const GROUP = 64;
const GROUP_MS = 5;
const BEFORE_COMMIT_MS = 5;

/**
 * One writer, first come first served. Writes that wait together share a commit (each behind a savepoint of its own, so
 * that one failure undoes only itself; where SQLite undoes the others too, they run again). Each caller gets its answer after the commit, never before, and with `durable`
 * when the disk has it: the next writes continue meanwhile, and what is committed then shares the next wait. After the
 * disk failed once, no write is taken any more.
 */
export class WriteQueue {
  private readonly queue: QueuedWrite[] = [];
  private running: Promise<void> | undefined;
  private readonly syncing = new Set<Promise<void>>();
  private broken: unknown;
  private readonly pause = slicer('patient', BEFORE_COMMIT_MS);

  constructor(
    private readonly control: TransactionControl,
    private readonly db: Kysely<Database>,
    /** Receives what an action after a commit threw. */
    private readonly onError: (error: unknown) => void = (error) =>
      process.emitWarning(`An action after a commit failed: ${error instanceof Error ? error.message : String(error)}`),
  ) {}

  run<T>(work: (scope: WriteScope) => Promise<T>, durable = true): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.queue.push({ durable, work, resolve: resolve as (value: unknown) => void, reject });
      this.running ??= this.drain();
    });
  }

  async drained(): Promise<void> {
    await this.running;
    await Promise.all(this.syncing);
  }

  private async drain(): Promise<void> {
    await Promise.resolve();
    while (this.queue.length > 0) await this.group();
    this.running = undefined;
  }

  private async group(): Promise<void> {
    const finished: Finished[] = [];
    const started = performance.now();
    let begun = false;
    try {
      if (this.broken !== undefined) throw this.broken;
      await this.control.room();
      this.control.begin();
      begun = true;
      while (finished.length < GROUP && performance.now() - started < GROUP_MS) {
        const job = this.queue.shift();
        if (job === undefined) break;
        await this.one(job, finished);
      }
      // The commit and what follows it in memory are one step that cannot give way.
      await this.pause();
      this.control.commit();
    } catch (error) {
      try {
        this.control.rollback();
      } catch {
        // The connection is lost; every caller below gets the first error.
      }
      // Writes that were undone with another one did not fail: they run again.
      if (error instanceof UndoFailed) this.queue.unshift(...finished.map(({ job }) => job));
      else for (const { job } of finished) job.reject(error);
      if (!begun) this.queue.shift()?.reject(error);
      return;
    }
    for (const { job, value, actions } of finished) {
      for (const action of actions) this.runAfterCommit(action);
      if (!job.durable) job.resolve(value);
    }
    const durable = finished.filter(({ job }) => job.durable);
    if (durable.length > 0) this.resolveWhenSynced(durable);
  }

  /** Runs what follows a commit in memory. The write is kept whatever happens here, so a failure is only reported. */
  private runAfterCommit(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.onError(error);
    }
  }

  /** Resolves durable writes when the disk has them. */
  private resolveWhenSynced(finished: readonly Finished[]): void {
    const sync = this.control.synced().then(
      () => {
        for (const { job, value } of finished) job.resolve(value);
      },
      (error: unknown) => {
        this.broken = error;
        for (const { job } of finished) job.reject(error);
      },
    );
    this.syncing.add(sync);
    void sync.finally(() => this.syncing.delete(sync));
  }

  private async one(job: QueuedWrite, finished: Finished[]): Promise<void> {
    const actions: Array<() => void> = [];
    const last: Array<() => Promise<void>> = [];
    this.control.savepoint();
    try {
      const value = await job.work({
        db: this.db,
        beforeCommit: (action) => void last.push(action),
        afterCommit: (action) => void actions.push(action),
      });
      for (const action of last) await action();
      this.control.release();
      finished.push({ job, value, actions });
    } catch (error) {
      job.reject(error);
      try {
        this.control.undo();
      } catch (cause) {
        // A full disk makes SQLite roll the whole transaction back, savepoints too.
        throw new UndoFailed('A write that failed could not be undone alone.', { cause });
      }
    }
  }
}
