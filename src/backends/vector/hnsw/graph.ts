import hnswlib from 'hnswlib-node';
import type { Metric } from '../port.js';

const M = 16;
const EF_CONSTRUCTION = 200;
const SEED = 100;

/**
 * The approximate graph over prepared vectors (hnswlib). Labels are row refs, so it survives compaction and restarts.
 * Refs are added in growing order; `lastRef` is how far that went.
 */
export class Graph {
  /** Rows up to this ref are in the graph, or were removed before their slot was reached. */
  lastRef = 0;
  /** Refs that were added and not deleted since. */
  live = 0;
  deleted = 0;
  private readonly index: hnswlib.HierarchicalNSW;
  private capacity: number;

  private constructor(
    readonly dimension: number,
    metric: Metric,
  ) {
    // Cosine vectors are of length 1 already: the inner product ranks them.
    this.index = new hnswlib.HierarchicalNSW(metric === 'euclidean' ? 'l2' : 'ip', dimension);
    this.capacity = 0;
  }

  static empty(dimension: number, metric: Metric, capacity: number): Graph {
    const graph = new Graph(dimension, metric);
    graph.capacity = Math.max(1024, capacity);
    graph.index.initIndex(graph.capacity, M, EF_CONSTRUCTION, SEED);
    return graph;
  }

  /** Reads a file off the main thread. Throws when hnswlib finds it damaged. */
  static async read(file: string, shape: { dimension: number; metric: Metric }): Promise<Graph> {
    const graph = new Graph(shape.dimension, shape.metric);
    await graph.index.readIndex(file);
    graph.capacity = graph.index.getMaxElements();
    return graph;
  }

  /** Writes off the main thread; nothing may be added meanwhile. */
  async write(file: string): Promise<void> {
    await this.index.writeIndex(file);
  }

  add(ref: number, vector: Float32Array): void {
    if (this.live + this.deleted >= this.capacity) {
      this.capacity = Math.ceil(this.capacity * 1.25);
      this.index.resizeIndex(this.capacity);
    }
    this.index.addPoint(Array.from(vector), ref);
    this.live += 1;
  }

  /** Hides a ref that was added. */
  remove(ref: number): void {
    this.index.markDelete(ref);
    this.live -= 1;
    this.deleted += 1;
  }

  /** Returns about the k nearest refs; `ef` is how many the search keeps in view. */
  search(query: Float32Array, k: number, ef: number): number[] {
    if (this.live === 0) return [];
    this.index.setEf(Math.max(ef, k));
    return this.index.searchKnn(Array.from(query), Math.min(k, this.live)).neighbors;
  }

  /** Returns the labels in the file just read; sets the counters. */
  labels(): number[] {
    const labels = this.index.getIdsList();
    this.live = labels.length;
    for (const label of labels) if (label > this.lastRef) this.lastRef = label;
    return labels;
  }

  vectorOf(ref: number): number[] {
    return this.index.getPoint(ref);
  }
}
