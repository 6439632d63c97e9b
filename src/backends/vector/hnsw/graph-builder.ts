import { slicer } from '../../../core/slices.js';
import type { Metric } from '../port.js';
import { Graph } from './graph.js';
import type { GraphFile } from './graph-file.js';
import type { Arena } from './scan/arena.js';

export interface BuildSettings {
  /** Indexes with fewer rows have no graph: the exact scan is fast enough. */
  readonly buildFrom: number;
  /** Megabytes that a graph may take (it copies the vectors); larger indexes are scanned exactly. */
  readonly mostMegabytes: number;
  /** Milliseconds without a write before building starts. */
  readonly quietMs: number;
}

const SLICE_MS = 8;
/** Milliseconds without a request after which building resumes; under steady load it does a slice so often. */
const IDLE_MS = 200;
/** The same after a write: the next batch of a load may take a while to come. */
const WRITING_MS = 2000;
const STEADY_MS = 1000;
/** What hnswlib keeps of a row beside its vector. */
const LINKS_BYTES = 160;
const LONGEST_WAIT_MS = 30_000;
const SAMPLE = 16;

/**
 * Keeps one index's graph near its rows, in slices on the main thread while no writes arrive. Searches use whatever is
 * built and scan the rest exactly, so a graph that is behind costs time, never answers. The file is written when a
 * build ends.
 */
export class GraphBuilder {
  graph: Graph | undefined;
  /** A successor that is being built because most of `graph` was deleted. */
  private next: Graph | undefined;
  private timer: NodeJS.Timeout | undefined;
  private firstRequestedAt = 0;
  private working: Promise<void> | undefined;
  private restoring: Promise<void> | undefined;
  /** Rows that are removed while a file's graph is compared with the rows. */
  private removedMeanwhile: Set<number> | undefined;
  private restored = false;
  private stopped = false;
  private savedSize = 0;
  private pausedUntil = 0;

  constructor(
    private readonly arena: Arena,
    private readonly metric: Metric,
    private readonly options: { settings: BuildSettings; file: GraphFile | undefined; version: () => number },
  ) {}

  /** Takes over the file's graph if it fits the rows; then builds what is missing. Called once the rows are loaded. */
  restore(): Promise<void> {
    this.restoring ??= this.readFile().finally(() => {
      this.restored = true;
      this.changed();
    });
    return this.restoring;
  }

  /** Hides a removed row from the graphs that have it. Call it before the row's slot dies. */
  removed(ref: number): void {
    this.removedMeanwhile?.add(ref);
    for (const graph of [this.graph, this.next]) if (graph !== undefined && ref <= graph.lastRef) graph.remove(ref);
  }

  /**
   * Plans to build, once it is quiet, after rows were added or removed; a running build gives way as it does to
   * requests.
   */
  changed(): void {
    this.giveWay(WRITING_MS);
    if (this.stopped || !this.restored || !this.hasWork()) return;
    const now = Date.now();
    if (this.timer === undefined) this.firstRequestedAt = now;
    else if (now - this.firstRequestedAt > LONGEST_WAIT_MS) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.start(), this.options.settings.quietMs);
    this.timer.unref();
  }

  /** Makes building give way, while a request is being answered, until requests pause. */
  giveWay(milliseconds = IDLE_MS): void {
    this.pausedUntil = Math.max(this.pausedUntil, performance.now() + milliseconds);
  }

  /** Resolves once everything is in the graph (for tests and benchmarks). */
  async whenBuilt(): Promise<void> {
    await this.restore();
    while (!this.stopped && (this.working !== undefined || this.hasWork())) {
      if (this.working === undefined) this.start();
      this.pausedUntil = 0;
      await this.working;
    }
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.restoring;
    await this.working;
    if (this.graph !== undefined && this.grownBy(this.graph) > 2000) await this.save();
  }

  /** Stops without writing, for an index that is deleted. */
  async discard(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.restoring;
    await this.working;
    this.graph = undefined;
    await this.options.file?.remove();
  }

  private async readFile(): Promise<void> {
    const { file } = this.options;
    const graph = await file?.read({ dimension: this.arena.dimension, metric: this.metric }).catch(() => undefined);
    if (graph === undefined || this.stopped) return;
    if (!(await this.fits(graph))) {
      await file?.remove();
      return;
    }
    this.graph = graph;
    this.savedSize = graph.live;
  }

  private hasWork(): boolean {
    const { arena, graph } = this;
    if (this.isTooLarge()) return graph !== undefined;
    if (graph === undefined) return arena.live >= this.options.settings.buildFrom;
    return this.isWornOut(graph) || arena.slotAfter(graph.lastRef) < arena.size;
  }

  /** Returns whether the rows are more than a graph may hold: then every search is an exact scan. */
  isTooLarge(): boolean {
    const bytes = this.arena.dimension * 4 + LINKS_BYTES;
    return this.arena.live * bytes > this.options.settings.mostMegabytes * 2 ** 20;
  }

  private isWornOut(graph: Graph): boolean {
    return graph.deleted > 1000 && graph.deleted > graph.live;
  }

  private start(): void {
    this.timer = undefined;
    if (this.stopped) return;
    this.working ??= this.work().finally(() => {
      this.working = undefined;
      this.changed();
    });
  }

  private async work(): Promise<void> {
    try {
      await this.build();
      if (!this.stopped && this.graph !== undefined && this.grownBy(this.graph) > this.graph.live / 10) {
        await this.save();
      }
    } catch {
      // The graph is a cache: drop it; exact search continues and the next change starts it anew.
      this.graph = undefined;
      this.next = undefined;
    }
  }

  private async build(): Promise<void> {
    const { arena, metric } = this;
    if (this.isTooLarge()) {
      this.graph = undefined;
      await this.options.file?.remove();
      return;
    }
    if (this.graph !== undefined && this.isWornOut(this.graph)) {
      if (arena.live < this.options.settings.buildFrom) {
        this.graph = undefined;
        await this.options.file?.remove();
        return;
      }
      this.next = Graph.empty(arena.dimension, metric, arena.live);
      this.savedSize = 0;
    }
    this.graph ??= Graph.empty(arena.dimension, metric, arena.live);
    const graph = this.next ?? this.graph;
    while (!this.stopped && this.addSome(graph)) await this.pause();
    if (this.next !== undefined && !this.stopped) this.graph = this.next;
    this.next = undefined;
  }

  /** Adds rows for one slice; false when none is left. */
  private addSome(graph: Graph): boolean {
    const { arena } = this;
    const until = performance.now() + SLICE_MS;
    for (let slot = arena.slotAfter(graph.lastRef); slot < arena.size; slot += 1) {
      if (arena.alive[slot] === 1) graph.add(arena.refs[slot]!, arena.vectorAt(slot));
      graph.lastRef = Math.max(graph.lastRef, arena.refs[slot]!);
      if (performance.now() > until) return true;
    }
    return false;
  }

  private async pause(): Promise<void> {
    const since = performance.now();
    for (let now = since; !this.stopped && now < this.pausedUntil && now < since + STEADY_MS; now = performance.now()) {
      await new Promise<void>((resolve) => setTimeout(resolve, SLICE_MS));
    }
    await new Promise<void>((resolve) => setImmediate(resolve));
  }

  private grownBy(graph: Graph): number {
    return graph.live - this.savedSize;
  }

  private async save(): Promise<void> {
    const { file, version } = this.options;
    if (file === undefined || this.graph === undefined) return;
    const { live } = this.graph;
    await file.write(this.graph, version(), this.metric).catch(() => file.remove());
    this.savedSize = live;
  }

  /** Hides rows that were removed since the file was written; false when the file is of other rows. */
  private async fits(graph: Graph): Promise<boolean> {
    const { arena } = this;
    const pause = slicer();
    const labels = graph.labels();
    const removed = new Set<number>();
    this.removedMeanwhile = removed;
    for (let i = 0; i < labels.length; i += 1) {
      if (arena.slotOf(labels[i]!) < 0) removed.add(labels[i]!);
      if (i % 4096 === 0) await pause();
    }
    this.removedMeanwhile = undefined;
    for (const ref of removed) if (ref <= graph.lastRef) hide(graph, ref);
    let expected = 0;
    for (let slot = arena.slotAfter(graph.lastRef) - 1; slot >= 0; slot -= 1) expected += arena.alive[slot]!;
    return expected === graph.live && this.sampleIsEqual(graph, labels);
  }

  private sampleIsEqual(graph: Graph, labels: readonly number[]): boolean {
    const { arena } = this;
    for (let i = 0; i < labels.length; i += Math.max(1, Math.floor(labels.length / SAMPLE))) {
      const slot = arena.slotOf(labels[i]!);
      if (slot < 0) continue;
      const stored = graph.vectorOf(labels[i]!);
      if (arena.vectorAt(slot).some((component, at) => component !== stored[at])) return false;
    }
    return true;
  }
}

function hide(graph: Graph, ref: number): void {
  try {
    graph.remove(ref);
  } catch {
    // Deleted while the file was being written: the mark is in it already.
    graph.live -= 1;
    graph.deleted += 1;
  }
}
