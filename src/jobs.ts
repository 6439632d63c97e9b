import { randomUUID } from 'node:crypto';
import { withLease } from './backends/store/leases.js';
import type { Store } from './backends/store/scope.js';

export interface PeriodicJob {
  readonly name: string;
  /** Milliseconds between two runs. */
  readonly every: number;
  readonly run: () => Promise<unknown>;
}

const LEASE_MS = 60_000;

/** Idempotent background work, each piece under a lease: with several replicas one does it, and it moves when that one dies. */
export class Jobs {
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly running = new Map<string, Promise<void>>();
  private readonly holder = randomUUID();
  private stopped = false;

  constructor(
    private readonly store: Store,
    private readonly options: {
      readonly clock: () => number;
      /** Called when a run failed. */
      readonly onError: (job: string, error: unknown) => void;
      /** Called when a run ended well. */
      readonly onDone?: (job: string) => void;
    },
  ) {}

  start(jobs: readonly PeriodicJob[]): void {
    for (const job of jobs) {
      const timer = setInterval(() => this.launch(job), job.every);
      timer.unref();
      this.timers.push(timer);
    }
  }

  /** Waits for what runs; nothing new begins. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const timer of this.timers) clearInterval(timer);
    await Promise.all(this.running.values());
  }

  private launch(job: PeriodicJob): void {
    // A run that takes longer than its interval is left to end: the lease alone lets its holder in again.
    if (this.stopped || this.running.has(job.name)) return;
    const lease = { name: `job:${job.name}`, holder: this.holder, ttl: LEASE_MS, clock: this.options.clock };
    const run = withLease(this.store, lease, async () => {
      await job.run();
      this.options.onDone?.(job.name);
    })
      .then(() => undefined)
      .catch((error: unknown) => this.options.onError(job.name, error))
      .finally(() => this.running.delete(job.name));
    this.running.set(job.name, run);
  }
}
