import { readFileSync } from 'node:fs';
import { type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';

/** Longest stretches in which the event loop took nothing else up, ms. */
export interface Holds {
  /** On the clock: also while other processes had the processor. */
  readonly clock: number;
  /** Of them, the longest that this thread computed. */
  readonly computed: number;
  /** Of that, what collections of garbage took. */
  readonly collected: number;
}

/** Nanoseconds that the main thread had a processor; the clock where the system does not tell. */
function processorTime(): number {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'latin1').split(' ')[0]);
  } catch {
    return performance.now() * 1e6;
  }
}

/**
 * Measures how long the event loop is held: one timer a millisecond notes what passed since the one before, on the clock
 * and of the thread's processor time, so that a busy machine does not look like a busy loop.
 */
export class LoopMonitor {
  private clock = 0;
  private longest = { computed: 0, from: 0, to: 0 };
  private collections: PerformanceEntry[] = [];
  private readonly observer = new PerformanceObserver((list) => this.collections.push(...list.getEntries()));
  private at = performance.now();
  private had = processorTime();
  private readonly timer: NodeJS.Timeout;

  constructor() {
    this.timer = setInterval(() => this.note(), 1);
    this.timer.unref();
    this.observer.observe({ entryTypes: ['gc'] });
  }

  /** Returns the longest holds since the last call. */
  take(): Holds {
    this.note();
    this.collections.push(...this.observer.takeRecords());
    const { computed, from, to } = this.longest;
    const within = this.collections.filter(({ startTime }) => startTime >= from && startTime < to);
    const collected = within.reduce((sum, { duration }) => sum + duration, 0);
    const holds = { clock: this.clock, computed, collected };
    this.clock = 0;
    this.longest = { computed: 0, from: 0, to: 0 };
    this.collections = [];
    return holds;
  }

  private note(): void {
    const [at, had] = [performance.now(), processorTime()];
    this.clock = Math.max(this.clock, at - this.at);
    const computed = (had - this.had) / 1e6;
    if (computed > this.longest.computed) this.longest = { computed, from: this.at, to: at };
    this.at = at;
    this.had = had;
  }
}
