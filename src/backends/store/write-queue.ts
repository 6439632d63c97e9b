import type { Kysely } from 'kysely';
import type { Database } from './schema.js';
import type { WriteScope } from './scope.js';

/** Transaction control of one writer connection. */
export interface TransactionControl {
  /** `durable`: the commit waits for the disk. */
  begin(durable: boolean): void;
  commit(): void;
  rollback(): void;
  savepoint(): void;
  release(): void;
  undo(): void;
}

interface Job {
  readonly durable: boolean;
  readonly work: (scope: WriteScope) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Finished {
  readonly job: Job;
  readonly value: unknown;
  readonly actions: ReadonlyArray<() => void>;
}

const GROUP = 64;
const GROUP_MS = 5;

/**
 * One writer, first come first served. Writes that wait together share a commit (each behind a savepoint of its own, so
 * that one failure undoes only itself); each caller hears after the commit, never before.
 */
export class WriteQueue {
  private readonly waiting: Job[] = [];
  private running: Promise<void> | undefined;

  constructor(
    private readonly control: TransactionControl,
    private readonly db: Kysely<Database>,
  ) {}

  run<T>(work: (scope: WriteScope) => Promise<T>, durable = true): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.waiting.push({ durable, work, resolve: resolve as (value: unknown) => void, reject });
      this.running ??= this.drain();
    });
  }

  async drained(): Promise<void> {
    await this.running;
  }

  private async drain(): Promise<void> {
    await Promise.resolve();
    while (this.waiting.length > 0) await this.group();
    this.running = undefined;
  }

  private async group(): Promise<void> {
    const finished: Finished[] = [];
    const started = performance.now();
    try {
      const durable = this.waiting[0]?.durable ?? true;
      this.control.begin(durable);
      while (finished.length < GROUP && performance.now() - started < GROUP_MS) {
        const job = this.waiting[0];
        // A write that must reach the disk never shares the commit of those that need not.
        if (job === undefined || (job.durable && !durable)) break;
        this.waiting.shift();
        await this.one(job, finished);
      }
      this.control.commit();
    } catch (error) {
      try {
        this.control.rollback();
      } catch {
        // The connection is gone; every caller below hears the first error.
      }
      for (const { job } of finished) job.reject(error);
      if (finished.length === 0) this.waiting.shift()?.reject(error);
      return;
    }
    for (const { job, value, actions } of finished) {
      for (const action of actions) action();
      job.resolve(value);
    }
  }

  private async one(job: Job, finished: Finished[]): Promise<void> {
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
      this.control.undo();
    }
  }
}
