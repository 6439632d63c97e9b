import type { Graph } from './graph.js';

/** A graph is worn out when this many rows of it were deleted, and more than live. */
const WORN_FROM = 1000;

/** Graphs next to each other, from one place to another, both included. */
export interface Stretch {
  readonly first: number;
  readonly last: number;
}

/**
 * The graphs of one index. Each holds the live rows of a stretch of refs, the stretches in growing order, so that a graph
 * is built, saved and renewed by itself; only the last one grows. A search asks all of them.
 */
export class Segments {
  /** Rows up to this ref are in a graph, or were removed before their turn came. */
  lastRef: number;
  private graphs: Graph[] = [];

  /** `rows`: how many rows a graph may take. Rows up to the ref `after` are not of concern. */
  constructor(
    readonly rows: number,
    private readonly after = 0,
  ) {
    this.lastRef = after;
  }

  get all(): readonly Graph[] {
    return this.graphs;
  }

  /** Rows that a search may find. */
  get live(): number {
    return this.graphs.reduce((sum, graph) => sum + graph.live, 0);
  }

  get bytes(): number {
    return this.graphs.reduce((sum, graph) => sum + graph.bytes, 0);
  }

  /** Returns the graph that takes the next row; undefined where a new one has to begin. */
  get open(): Graph | undefined {
    const last = this.graphs.at(-1);
    return last !== undefined && last.rows < this.rows ? last : undefined;
  }

  push(graph: Graph): void {
    this.graphs.push(graph);
    this.lastRef = Math.max(this.lastRef, graph.lastRef);
  }

  /** Hides a removed row, if a graph has it. */
  remove(ref: number): void {
    // Stretches grow, and a live row is in the one that reaches it.
    if (ref > this.after && ref <= this.lastRef) this.graphs.find((graph) => ref <= graph.lastRef)?.remove(ref);
  }

  /** Returns about the k nearest refs of each graph. */
  search(query: Float32Array, k: number, ef: number): number[] {
    const vector = Array.from(query);
    return this.graphs.flatMap((graph) => graph.search(vector, k, ef));
  }

  /** Returns graphs that are worth renewing as one: a worn-out one, with small ones beside it. */
  worn(): Stretch | undefined {
    const from = Math.min(WORN_FROM, this.rows / 4);
    const at = this.graphs.findIndex((graph) => graph.deleted > from && graph.deleted > graph.live);
    if (at < 0) return undefined;
    let [first, last, live] = [at, at, this.graphs[at]!.live];
    const joins = (graph: Graph | undefined): boolean => {
      if (graph === undefined || live + graph.live > this.rows / 2) return false;
      live += graph.live;
      return true;
    };
    while (joins(this.graphs[first - 1])) first -= 1;
    while (joins(this.graphs[last + 1])) last += 1;
    return { first, last };
  }

  /** Returns the refs of a stretch: after the first, up to the last. */
  refsOf({ first, last }: Stretch): { readonly after: number; readonly upTo: number } {
    const upTo = last === this.graphs.length - 1 ? this.lastRef : this.graphs[last]!.lastRef;
    return { after: first === 0 ? 0 : this.graphs[first - 1]!.lastRef, upTo };
  }

  /** Puts graphs of the same live rows in the place of a stretch. */
  replace({ first, last }: Stretch, graphs: readonly Graph[]): void {
    this.graphs.splice(first, last - first + 1, ...graphs.filter((graph) => graph.live > 0));
  }

  clear(): void {
    this.graphs = [];
    this.lastRef = this.after;
  }
}
