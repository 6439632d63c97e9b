import type { Store, WriteScope } from '../backends/store/scope.js';

/** What became of one item of a batch. */
export type Settled<R> = { readonly value: R } | { readonly error: unknown };

interface Waiting<T, R> {
  readonly item: T;
  readonly resolve: (value: R) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Gathers small writes into one transaction: what is added while a batch is on its way goes into the next one. Each
 * caller hears after the commit. When a whole batch fails, its items are tried one by one, so that none spoils another.
 */
export class WriteBatcher<T, R> {
  private waiting: Waiting<T, R>[] = [];
  private running: Promise<void> | undefined;

  constructor(
    private readonly store: Store,
    /** Called inside the transaction; answers one outcome an item, in order. May run again after a conflict. */
    private readonly run: (scope: WriteScope, items: readonly T[]) => Promise<ReadonlyArray<Settled<R>>>,
    private readonly limit = 256,
  ) {}

  add(item: T): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      this.running ??= this.drain();
    });
  }

  /** Resolves when nothing waits any more. */
  async drained(): Promise<void> {
    await this.running;
  }

  private async drain(): Promise<void> {
    await Promise.resolve();
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, this.limit);
      await this.write(batch);
    }
    this.running = undefined;
  }

  private async write(batch: ReadonlyArray<Waiting<T, R>>): Promise<void> {
    try {
      const settled = await this.store.write((scope) =>
        this.run(
          scope,
          batch.map(({ item }) => item),
        ),
      );
      for (const [index, { resolve, reject }] of batch.entries()) {
        const outcome = settled[index];
        if (outcome !== undefined && 'value' in outcome) resolve(outcome.value);
        else reject(outcome?.error);
      }
    } catch (error) {
      const [only] = batch;
      if (batch.length === 1 && only !== undefined) only.reject(error);
      else for (const waiting of batch) await this.write([waiting]);
    }
  }
}
