import { slicer } from '../../core/async/slices.js';
import { SvcError } from '../../core/errors.js';

export interface SlotLimits {
  /** Calls that are worked on at once. */
  readonly running: number;
  /** Calls that wait for one of those to end; more are refused. */
  readonly waiting: number;
}

/** The slot of one call. */
export interface Slot {
  /** Keeps the slot taken until `work` ends, although the call was answered before. */
  readonly keep: (work: Promise<unknown>) => void;
}

/** Answers about the service itself, which are needed most when it is busy. */
const ALWAYS: ReadonlySet<string> = new Set(['health', 'ready', 'status']);
/** Share of the newest call in the mean duration. */
const NEWEST = 0.1;

/** Returns whether an operation is answered without a slot. */
export function needsNoSlot(operation: string): boolean {
  return ALWAYS.has(operation);
}

/**
 * Lets a bounded number of calls run, from whatever surface, and a bounded number wait in order. Further ones are
 * `unavailable` with the seconds after which the queue should have room.
 */
export class Slots {
  private readonly queue: Array<() => void> = [];
  private readonly turn = slicer('urgent');
  private running = 0;
  private meanMs = 50;

  constructor(private readonly limits: SlotLimits) {}

  /** Throws `unavailable` where a call would be refused now: before its body is read. */
  requireRoom(): void {
    const { running, waiting } = this.limits;
    if (this.running < running || this.queue.length < waiting) return;
    throw busy((this.queue.length * this.meanMs) / running);
  }

  /** Runs `work` in a slot. Throws `unavailable` where none is free and the queue is full, `cancelled` where the caller leaves it. */
  async run<T>(work: (slot: Slot) => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.enter(signal);
    // Calls that come or begin together would else hold the event loop one after another, and health with them.
    await this.turn();
    const started = performance.now();
    const unfinished: Array<Promise<unknown>> = [];
    try {
      return await work({ keep: (rest) => unfinished.push(rest) });
    } finally {
      if (unfinished.length === 0) this.leave(started);
      else void Promise.allSettled(unfinished).then(() => this.leave(started));
    }
  }

  private async enter(signal: AbortSignal | undefined): Promise<void> {
    if (this.running < this.limits.running) {
      this.running += 1;
      return;
    }
    this.requireRoom();
    await new Promise<void>((resolve, reject) => {
      // Whoever hangs up gives its place to those behind it.
      const giveUp = (): void => {
        this.queue.splice(this.queue.indexOf(begin), 1);
        reject(new SvcError('cancelled', 'The call was cancelled while it waited.'));
      };
      const begin = (): void => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      if (signal?.aborted === true) {
        reject(new SvcError('cancelled', 'The call was cancelled before it began.'));
        return;
      }
      this.queue.push(begin);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  private leave(started: number): void {
    this.meanMs += NEWEST * (performance.now() - started - this.meanMs);
    const next = this.queue.shift();
    // The slot goes over to the next one.
    if (next === undefined) this.running -= 1;
    else next();
  }
}

function busy(waitMs: number): SvcError {
  const retryAfter = Math.min(60, Math.max(1, Math.ceil(waitMs / 1000)));
  const sentence = `The service has more requests than it can queue; try again in ${retryAfter} s.`;
  return new SvcError('unavailable', sentence, undefined, { retryAfter, retriable: true });
}
