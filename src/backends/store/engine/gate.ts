/** Lets a number of pieces of work run at once; others wait in the order in which they came. */
export class Gate {
  private readonly queue: Array<() => void> = [];
  private free: number;

  constructor(places: number) {
    this.free = places;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.queue.push(resolve));
    try {
      return await work();
    } finally {
      // The place passes straight to the next one, so that no later caller overtakes it.
      const next = this.queue.shift();
      if (next === undefined) this.free += 1;
      else next();
    }
  }
}
