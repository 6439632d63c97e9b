import { readFileSync } from 'node:fs';

/** Longest stretches in which the event loop took nothing else up, ms. */
export interface Holds {
  /** On the clock: also while other processes had the processor. */
  readonly clock: number;
  /** Of them, the longest that this thread computed. */
  readonly computed: number;
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
  private computed = 0;
  private at = performance.now();
  private had = processorTime();
  private readonly timer: NodeJS.Timeout;

  constructor() {
    this.timer = setInterval(() => this.note(), 1);
    this.timer.unref();
  }

  /** Returns the longest holds since the last call. */
  take(): Holds {
    this.note();
    const holds = { clock: this.clock, computed: this.computed };
    this.clock = 0;
    this.computed = 0;
    return holds;
  }

  private note(): void {
    const [at, had] = [performance.now(), processorTime()];
    this.clock = Math.max(this.clock, at - this.at);
    this.computed = Math.max(this.computed, (had - this.had) / 1e6);
    this.at = at;
    this.had = had;
  }
}
