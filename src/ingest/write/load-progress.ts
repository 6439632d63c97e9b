import type { Manifest } from '../../core/model.js';
import type { LoadOptions, PassageCounts } from './ports.js';

/** Between two reports of what was written, ms. */
const PACE_MS = 250;

type Counted = Pick<Manifest, 'passages' | 'concepts' | 'edges' | 'rules'>;

/**
 * Reports how far the load of a manifest is. One count goes through all of it and only grows: the texts that are embedded,
 * then, where the source is written in steps, the assertions that are written.
 */
export class LoadProgress {
  private readonly report: LoadOptions['progress'];
  private passages: PassageCounts;
  private texts = 0;
  private textsDone = 0;
  private assertions = 0;
  private assertionsDone = 0;
  private reportedAt = 0;

  constructor(
    private readonly manifest: Counted,
    { progress }: Pick<LoadOptions, 'progress'>,
  ) {
    this.report = progress;
    this.passages = { parsed: manifest.passages.length, embedded: 0, written: 0 };
  }

  /** Counts what will be written too. */
  expectSteps(): void {
    this.assertions = sizeOf(this.manifest);
  }

  /** Notes that so many texts are embedded, and so many passages among them. */
  embedded(done: number, texts: number, passages: number): void {
    this.texts = texts;
    this.textsDone = done;
    this.passages = { ...this.passages, embedded: passages };
    this.send(`${passages} of ${this.passages.parsed} passages embedded`);
  }

  /** Notes that a step is written. */
  wrote(step: Counted): void {
    // Duplicates are left out of steps: the count stays below what the manifest holds.
    this.assertionsDone += sizeOf(step);
    this.passages = { ...this.passages, written: this.passages.written + step.passages.length };
    if (performance.now() - this.reportedAt < PACE_MS) return;
    this.send(`${this.passages.written} of ${this.passages.parsed} passages written`);
  }

  private send(message: string): void {
    this.reportedAt = performance.now();
    this.report?.(this.textsDone + this.assertionsDone, this.texts + this.assertions, message, this.passages);
  }
}

function sizeOf({ passages, concepts, edges, rules }: Counted): number {
  return passages.length + concepts.length + edges.length + rules.length;
}
