import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../../store/scope.js';
import { compact } from './compact.js';
import { tombstones } from './documents.js';

/** Sweeps take this share of the time at most while documents are removed all the time. */
const SHARE = 0.05;
/** A process that ends sweeps for so long at most, ms; the next one goes on. */
const LAST_SWEEP = 3000;

/** Takes the words of deleted documents off the store, in the background. */
export class Sweeper {
  private due: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private lastTook = 0;
  private stopped = false;
  /** Whether this process removed something since the last sweep began. */
  private removed = false;

  constructor(
    private readonly store: Store,
    /** Time from a removal until the sweep, ms. */
    private readonly after: number,
  ) {}

  /** Goes on with what an earlier process left. */
  async start(): Promise<void> {
    this.stopped = false;
    if ((await tombstones(this.store.db)) > 0) this.schedule();
  }

  /** Sweeps what this process removed, as far as that is soon done: a command that only reads does not work for others. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.due);
    this.due = undefined;
    await this.running;
    const until = performance.now() + LAST_SWEEP;
    if (!this.removed) return;
    // A replica may hold the index longer than a process has to end.
    const limit = sleep(LAST_SWEEP, undefined, { ref: false });
    await Promise.race([this.run(() => performance.now() > until), limit]);
  }

  sweepNow(): void {
    if (!this.stopped) void this.run(() => this.stopped);
  }

  /** Sweeps a little later, for many removals at once. */
  sweepSoon(): void {
    if (this.stopped) return;
    this.removed = true;
    this.schedule();
  }

  private schedule(): void {
    this.due ??= setTimeout(
      () => {
        this.due = undefined;
        // A sweep that runs may have begun before the removal.
        void Promise.resolve(this.running).then(() => this.sweepNow());
      },
      Math.max(this.after, this.lastTook / SHARE),
    ).unref();
  }

  /** A failure costs nothing: the next removal or start tries again. */
  private run(isOver: () => boolean): Promise<void> {
    const started = performance.now();
    if (this.running === undefined) this.removed = false;
    this.running ??= compact(this.store, isOver)
      .catch(() => undefined)
      .finally(() => {
        this.running = undefined;
        this.lastTook = performance.now() - started;
      });
    return this.running;
  }
}
