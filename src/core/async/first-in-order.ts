import { sortInSlices } from './sort-in-slices.js';

/** Items that are kept beyond the limit before the surplus is dropped, at least. */
const SURPLUS = 1000;

/** Collects items, however many, and keeps the first `limit` in an order; gives way to the event loop meanwhile. */
export class FirstInOrder<T> {
  private items: T[] = [];

  constructor(
    private readonly compare: (a: T, b: T) => number,
    private readonly limit = Number.POSITIVE_INFINITY,
  ) {}

  async add(items: Iterable<T>): Promise<void> {
    for (const item of items) this.items.push(item);
    if (this.items.length > 2 * this.limit + SURPLUS) this.items = await this.sorted();
  }

  /** Returns the first ones, in order. */
  async sorted(): Promise<T[]> {
    return (await sortInSlices(this.items, this.compare)).slice(0, this.limit);
  }
}
