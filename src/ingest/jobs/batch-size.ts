/** Files that are claimed at once, at most. */
const MOST = 32;
/** A batch that took longer than this makes the next one smaller, ms: other processes want a share, and people see progress. */
const LONG_MS = 1000;
const SHORT_MS = LONG_MS / 4;

/** How many files a worker takes at once: one at first, more where files are done quickly. */
export class BatchSize {
  private size = 1;

  get most(): number {
    return this.size;
  }

  /** Notes how long a batch took, ms. */
  took(ms: number): void {
    if (ms > LONG_MS) this.size = Math.ceil(this.size / 2);
    else if (ms < SHORT_MS) this.size = Math.min(2 * this.size, MOST);
  }

  /** Notes that the next file is to be tried by itself: the store refused one, or there are large ones. */
  alone(): void {
    this.size = 1;
  }
}
