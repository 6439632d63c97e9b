/**
 * Values read from a store that counts its versions. Read the version first and the values after it: what is newer than its version
 * is never older than requested. All are forgotten with the first value of a newer version, unless `follow` told what changed up to it.
 */
export class Versioned<K, V> {
  private version = -1;
  private readonly values = new Map<K, V>();

  constructor(private readonly limit: number) {}

  /** Returns what is known as of this version; undefined where the value has to be read. */
  get(version: number, key: K): V | undefined {
    return this.version >= version ? this.values.get(key) : undefined;
  }

  /** Keeps a value that was read after this version was; not where `follow` went on meanwhile: the value may be older than that. */
  set(version: number, key: K, value: V): void {
    if (version < this.version) return;
    if (version > this.version || this.values.size >= this.limit) this.values.clear();
    this.version = version;
    this.values.set(key, value);
  }

  /** Goes on to a version. `changed`: the keys of what is different since an earlier one; absent where that is not known. */
  follow(version: number, changed?: { readonly since: number; readonly keys: Iterable<K> }): void {
    if (version <= this.version) return;
    if (changed === undefined || this.version < changed.since) this.values.clear();
    else for (const key of changed.keys) this.values.delete(key);
    this.version = version;
  }

  /** Forgets all values. */
  clear(): void {
    this.values.clear();
  }
}
