/** Counts what comes before the event loop turns; then it counts anew. */
export class PerTurn {
  private count = 0;

  /** Adds to the count, and returns it. */
  add(more: number): number {
    if (this.count === 0) setImmediate(() => this.forget());
    this.count += more;
    return this.count;
  }

  private forget(): void {
    this.count = 0;
  }
}
