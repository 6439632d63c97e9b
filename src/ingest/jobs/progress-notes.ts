import type { LoadOptions, PassageCounts } from '../write/ports.js';

/** How far a file is that a job works on. */
export interface FileProgress {
  /** What is being done, in words. */
  readonly step: string;
  readonly done: number;
  /** Null where the end is not known. */
  readonly total: number | null;
  /** Null until the file is parsed. */
  readonly passages: PassageCounts | null;
}

/** Between two notes of one file, ms: each is a write of the store. */
const PACE_MS = 500;

/** Notes how far a file is, twice a second at most and one note at a time; a note that is lost is made up for by the next. */
export class ProgressNotes {
  private notedAt = 0;
  private pending: Promise<void> | undefined;

  constructor(private readonly note: (progress: FileProgress) => Promise<void>) {}

  readonly report: NonNullable<LoadOptions['progress']> = (done, total, step, passages) => {
    if (this.pending !== undefined || performance.now() - this.notedAt < PACE_MS) return;
    this.notedAt = performance.now();
    this.pending = this.note({ step, done, total: total ?? null, passages: passages ?? null })
      .catch(() => undefined)
      .finally(() => {
        this.pending = undefined;
      });
  };

  /** Resolves when no note is under way. */
  async settled(): Promise<void> {
    await this.pending;
  }
}
