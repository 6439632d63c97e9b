/**
 * Values read from a store that counts its versions: kept while the version stays, forgotten with the first that is
 * newer. Read the version first and the values after it: what is newer than its version is never older than requested.
 */
export class Versioned<K, V> {
  private version = -1;
  private readonly values = new Map<K, V>();

  constructor(private readonly limit: number) {}

  /** Returns what is known as of this version; undefined where the value has to be read. */
  get(version: number, key: K): V | undefined {
    return this.version === version ? this.values.get(key) : undefined;
  }

  set(version: number, key: K, value: V): void {
    if (version < this.version) return;
    if (version > this.version || this.values.size >= this.limit) this.values.clear();
    this.version = version;
    this.values.set(key, value);
  }
}
