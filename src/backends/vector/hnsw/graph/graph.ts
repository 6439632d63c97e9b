import hnswlib from 'hnswlib-node';
import type { Metric } from '../../port.js';

const M = 16;
const EF_CONSTRUCTION = 200;
const SEED = 100;
/** What hnswlib keeps of a row beside its vector. */
const LINKS_BYTES = 160;

export interface GraphShape {
  readonly dimension: number;
  readonly metric: Metric;
}

/** Returns the bytes that a graph needs for a row. */
export function graphRowBytes(dimension: number): number {
  return dimension * 4 + LINKS_BYTES;
}

/**
 * The approximate graph over prepared vectors (hnswlib). Labels are row refs, so it survives compaction and restarts.
 * Refs are added in growing order; `lastRef` is the last one that was.
 */
export class Graph {
  lastRef = 0;
  /** Rows that were added, deleted ones included: what takes memory. */
  rows = 0;
  /** Its file, and how many rows that holds, once there is one. */
  saved: { readonly file: string; readonly bytes: number; readonly crc: number; readonly rows: number } | undefined;
  /**
   * Refs that were deleted. The library does not hear of it: where it meets nothing but marked rows around a place, its
   * insertion reads memory that is not its own, and the process ends.
   */
  private readonly hidden = new Set<number>();
  private readonly index: hnswlib.HierarchicalNSW;
  private capacity: number;

  private constructor(
    private readonly shape: GraphShape,
    /** Files of earlier releases hold marks. */
    private readonly mayHoldMarks = false,
  ) {
    // Cosine vectors are of length 1 already: the inner product ranks them.
    this.index = new hnswlib.HierarchicalNSW(shape.metric === 'euclidean' ? 'l2' : 'ip', shape.dimension);
    this.capacity = 0;
  }

  static empty(shape: GraphShape, capacity: number): Graph {
    const graph = new Graph(shape);
    graph.capacity = Math.max(1024, capacity);
    graph.index.initIndex(graph.capacity, M, EF_CONSTRUCTION, SEED);
    return graph;
  }

  /** Reads a file off the main thread. Throws when hnswlib finds it damaged. */
  static async read(file: string, shape: GraphShape): Promise<Graph> {
    const graph = new Graph(shape, true);
    await graph.index.readIndex(file);
    graph.capacity = graph.index.getMaxElements();
    graph.rows = graph.index.getCurrentCount();
    return graph;
  }

  get deleted(): number {
    return this.hidden.size;
  }

  /** Refs that were added and not deleted since. */
  get live(): number {
    return this.rows - this.hidden.size;
  }

  get bytes(): number {
    return this.rows * graphRowBytes(this.shape.dimension);
  }

  /** Writes off the main thread; nothing may be added meanwhile. */
  async write(file: string): Promise<void> {
    await this.index.writeIndex(file);
  }

  add(ref: number, vector: Float32Array): void {
    if (this.rows >= this.capacity) {
      this.capacity = Math.ceil(this.capacity * 1.25);
      this.index.resizeIndex(this.capacity);
    }
    this.index.addPoint(Array.from(vector), ref);
    this.rows += 1;
    this.lastRef = ref;
  }

  /** Hides a ref that was added. */
  remove(ref: number): void {
    this.hidden.add(ref);
    if (this.mayHoldMarks) this.unmark(ref);
  }

  /** Returns about the k nearest refs; `ef` is how many the search keeps in view. */
  search(query: readonly number[], k: number, ef: number): number[] {
    if (this.live === 0) return [];
    const share = this.rows / this.live;
    for (let wanted = Math.ceil(k * share); ; wanted *= 4) {
      const most = Math.min(wanted, this.rows);
      this.index.setEf(Math.max(Math.ceil(ef * share), most));
      const found = this.index.searchKnn(query as number[], most).neighbors;
      const living = found.filter((ref) => !this.hidden.has(ref));
      // What was deleted may lie around the question; a search that finds less than it wants has seen all it can reach.
      if (living.length >= Math.min(k, this.live) || found.length < most || most === this.rows)
        return living.slice(0, k);
    }
  }

  /** Returns the labels in the file just read; sets the last ref. */
  labels(): number[] {
    const labels = this.index.getIdsList();
    for (const label of labels) if (label > this.lastRef) this.lastRef = label;
    return labels;
  }

  private unmark(ref: number): void {
    try {
      this.index.unmarkDelete(ref);
    } catch {
      // It bore no mark.
    }
  }

  vectorOf(ref: number): number[] {
    return this.index.getPoint(ref);
  }
}
