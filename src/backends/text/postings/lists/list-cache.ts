import type { PostingList } from './list.js';

/** Decoded lists by (domain, term), least recently used first out once they hold more than the given bytes. */
export class ListCache {
  private readonly lists = new Map<string, { readonly list: PostingList; bytes: number }>();
  private bytes = 0;

  constructor(private readonly limit: number) {}

  get(domain: number, term: string): PostingList | undefined {
    const key = `${domain} ${term}`;
    const entry = this.lists.get(key);
    if (entry === undefined) return undefined;
    this.lists.delete(key);
    this.lists.set(key, entry);
    return entry.list;
  }

  /** Puts a list in, or counts anew what it holds after it grew. */
  put(domain: number, term: string, list: PostingList): void {
    const key = `${domain} ${term}`;
    const entry = this.lists.get(key);
    if (entry?.list === list && entry.bytes === list.bytes) return;
    if (entry !== undefined) {
      this.bytes -= entry.bytes;
      this.lists.delete(key);
    }
    this.lists.set(key, { list, bytes: list.bytes });
    this.bytes += list.bytes;
    for (const [oldest, { bytes }] of this.lists) {
      if (this.bytes <= this.limit || oldest === key) break;
      this.lists.delete(oldest);
      this.bytes -= bytes;
    }
  }

  clear(): void {
    this.lists.clear();
    this.bytes = 0;
  }
}
