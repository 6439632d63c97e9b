/**
 * Reads by key that gather: keys asked for in the same turn of the event loop are read together. `read` answers what it
 * finds, in any order.
 */
export class Gathered<T> {
  private waiting: { readonly keys: Set<string>; readonly found: Promise<ReadonlyMap<string, T>> } | null = null;

  constructor(
    private readonly read: (keys: readonly string[]) => Promise<readonly T[]>,
    private readonly keyOf: (item: T) => string,
  ) {}

  /** By key; absent ones are left out. */
  get(keys: Iterable<string>): Promise<ReadonlyMap<string, T>> {
    this.waiting ??= { keys: new Set(), found: Promise.resolve().then(() => this.together()) };
    for (const key of keys) this.waiting.keys.add(key);
    return this.waiting.found;
  }

  private async together(): Promise<ReadonlyMap<string, T>> {
    const keys = [...(this.waiting?.keys ?? [])];
    this.waiting = null;
    return new Map((keys.length === 0 ? [] : await this.read(keys)).map((item) => [this.keyOf(item), item]));
  }
}
