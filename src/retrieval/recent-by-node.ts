import type { GraphNode } from '../core/model.js';

interface Generation<T> {
  readonly values: Map<GraphNode, T>;
  size: number;
}

/**
 * Keeps what was worked out about nodes from question to question, in two generations of `limit` each: the older one goes
 * when the recent one is full. A graph hands out the same node until it changes, so the node stands for its text.
 */
export class RecentByNode<T> {
  private recent: Generation<T> = { values: new Map(), size: 0 };
  private older: Generation<T> = this.recent;

  constructor(
    private readonly limit: number,
    private readonly sizeOf: (value: T) => number,
  ) {}

  /** Returns what is kept of a node and still good, else what `make` returns. */
  of(node: GraphNode, make: () => T, isGood: (value: T) => boolean = () => true): T {
    const kept = this.recent.values.get(node);
    if (kept !== undefined && isGood(kept)) return kept;
    const before = this.older.values.get(node);
    const value = before !== undefined && isGood(before) ? before : make();
    const size = this.sizeOf(value);
    if (this.recent.size + size > this.limit) {
      this.older = this.recent;
      this.recent = { values: new Map(), size: 0 };
    }
    this.recent.values.set(node, value);
    this.recent.size += size;
    return value;
  }
}
