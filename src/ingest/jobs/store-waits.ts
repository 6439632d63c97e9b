import { setTimeout as sleep } from 'node:timers/promises';
import type { ClaimedFile } from '../../backends/store/jobs/claims.js';
import type { SvcError } from '../../core/errors.js';

/** What the store refused, and when it did so last, ms. */
interface Problem {
  readonly error: SvcError;
  readonly seen: number;
}

/** Wait of a file after the first refusal, and the longest one, ms. */
const FIRST_MS = 2000;
const LONGEST_MS = 30_000;
/** A job that goes on so long after its last refusal does not wait any more, ms: less than a command waits for. */
const STALE_MS = 5000;

/** In the place of a count: the file is the reason. */
const OF_FILE = -1;

type OfJob = Pick<ClaimedFile, 'job' | 'number'>;

/** What jobs wait for where their store refuses what they write, and for how long. */
export class StoreWaits {
  private readonly problems = new Map<number, Problem>();
  /** What kept the store from giving a file out, of whichever job. */
  private claim: SvcError | undefined;
  /** Files of each job that were refused, with `taken` as it was then. */
  private readonly refusals = new Map<number, Map<number, number>>();
  /** Files with new content that the store took. */
  private taken = 0;
  private delay = 0;
  private until = 0;

  /** `now`: milliseconds of a clock that nobody sets. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  problemOf(job: number): string | undefined {
    return (this.problems.get(job)?.error ?? this.claim)?.message;
  }

  /** Notes that the store refused something of a job. */
  note(job: number, error: SvcError): void {
    this.problems.set(job, { error, seen: this.now() });
  }

  /**
   * Notes that the store refused a file. Returns for how many milliseconds the file waits, longer with each refusal in a row; undefined
   * where the store took another file since it refused this one: then this one is the reason, until a file is refused of which that cannot be said.
   */
  refused({ job, number }: OfJob, error: SvcError): number | undefined {
    this.note(job, error);
    const ofJob = this.refusals.get(job) ?? new Map<number, number>();
    const isOfFile = (ofJob.get(number) ?? this.taken) !== this.taken;
    this.refusals.set(job, ofJob.set(number, isOfFile ? OF_FILE : this.taken));
    if (isOfFile) return undefined;
    for (const files of this.refusals.values())
      for (const [one, mark] of files) if (mark === OF_FILE) files.set(one, this.taken);
    const now = this.now();
    // Files that are refused side by side are one refusal.
    if (now >= this.until) {
      this.delay = this.delay === 0 ? FIRST_MS : Math.min(2 * this.delay, LONGEST_MS);
      this.until = now + this.delay / 2;
    }
    return this.delay;
  }

  /** Notes that the store took the end of a file, and whether new content with it. */
  took({ job, number }: OfJob, { isNew }: { readonly isNew: boolean }): void {
    this.problems.delete(job);
    const ofJob = this.refusals.get(job);
    ofJob?.delete(number);
    if (ofJob?.size === 0) this.refusals.delete(job);
    if (!isNew) return;
    this.taken += 1;
    this.delay = 0;
    this.until = 0;
  }

  /** Notes that the store took how far a file is: its job goes on. */
  progressed(job: number): void {
    const problem = this.problems.get(job);
    if (problem !== undefined && this.now() - problem.seen > STALE_MS) this.problems.delete(job);
  }

  /** Notes whether the store gives files out. */
  claimed(problem: SvcError | undefined): void {
    this.claim = problem;
  }

  /** Forgets what a job waited for: it is begun again, or cancelled. */
  clear(job: number): void {
    this.problems.delete(job);
    this.refusals.delete(job);
  }

  /** Resolves when another file may be begun: earlier than one that was refused, so that each is tried. */
  async over(signal: AbortSignal): Promise<void> {
    const left = this.until - this.now();
    if (left > 0) await sleep(left, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
