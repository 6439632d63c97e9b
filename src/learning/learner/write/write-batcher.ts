import type { Store, WriteOptions, WriteScope } from '../../../backends/store/scope.js';
import { isUnavailable } from '../../../core/errors.js';

/** The result of one item of a batch. */
export type WriteResult<R> = { readonly value: R } | { readonly error: unknown };

interface QueuedWrite<T, R> {
  readonly item: T;
  readonly resolve: (value: R) => void;
  readonly reject: (error: unknown) => void;
}

const LATER_MS = 25;

export interface BatcherOptions extends WriteOptions {
  /** Items of one transaction, at most. */
  readonly limit?: number;
  /** Milliseconds that the first item of a batch waits for others, unless someone asks for it; none by default. */
  readonly gatherMs?: number;
}

/**
 * Gathers small writes into one transaction: what is added while a batch is on its way goes into the next one. Each
 * call resolves after the commit. When a whole batch fails, its items are tried one by one, so that none spoils
 * another.
 */
export class WriteBatcher<T, R> {
  private readonly limit: number;
  private queue: QueuedWrite<T, R>[] = [];
  private running: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** Ends the waiting for more items. */
  private gathered: (() => void) | undefined;

  constructor(
    private readonly store: Store,
    /** Called inside the transaction; returns one outcome per item, in order. May run again after a conflict. */
    private readonly run: (scope: WriteScope, items: readonly T[]) => Promise<ReadonlyArray<WriteResult<R>>>,
    private readonly options: BatcherOptions = {},
  ) {
    this.limit = options.limit ?? 256;
  }

  add(item: T): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      this.queue.push({ item, resolve, reject });
      this.start();
      if (this.queue.length >= this.limit) this.gathered?.();
    });
  }

  /**
   * Adds an item that may lag, such as a counter: it is written with the next batch, or within `LATER_MS`. A process
   * killed before that loses them. Waits only when far too many are on their way already.
   */
  async later(item: T): Promise<void> {
    this.queue.push({ item, resolve: () => undefined, reject: () => undefined });
    if (this.queue.length > 4 * this.limit) await this.flush();
    else this.timer ??= setTimeout(() => this.start(), LATER_MS);
  }

  /** Resolves when everything added so far is written. */
  async flush(): Promise<void> {
    if (this.queue.length > 0) this.start();
    this.gathered?.();
    await this.running;
  }

  private start(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.running ??= this.drain();
  }

  private async drain(): Promise<void> {
    await this.gather();
    // A commit blocks the process, so first let every request that is ready arrive: they share this one.
    for (await nextTick(); this.queue.length > 0; await nextTick()) {
      const batch = this.queue.splice(0, this.limit);
      await this.write(batch);
    }
    this.running = undefined;
  }

  private async gather(): Promise<void> {
    const { gatherMs = 0 } = this.options;
    if (gatherMs === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, gatherMs);
      this.gathered = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.gathered = undefined;
  }

  private async write(batch: ReadonlyArray<QueuedWrite<T, R>>): Promise<void> {
    try {
      const items = batch.map(({ item }) => item);
      const results = await this.store.write((scope) => this.run(scope, items), this.options);
      for (const [index, { resolve, reject }] of batch.entries()) {
        const outcome = results[index];
        if (outcome !== undefined && 'value' in outcome) resolve(outcome.value);
        else reject(outcome?.error);
      }
    } catch (error) {
      // A store that does not answer may have committed all the same: writing again would count twice.
      const hopeless = batch.length === 1 || isUnavailable(error);
      if (hopeless) for (const { reject } of batch) reject(error);
      else for (const queued of batch) await this.write([queued]);
    }
  }
}

/** Resolves at the event loop's next tick, after the sockets that are ready were read. */
function nextTick(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
