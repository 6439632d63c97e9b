import { nextTurn, SLICE_MS } from '../../../../core/async/slices.js';
import type { Arena } from '../scan/arena.js';
import { Graph, graphRowBytes } from './graph.js';
import type { GraphBudget } from './graph-budget.js';
import type { GraphFile } from './graph-file.js';
import { Segments, type Stretch } from './segments.js';
import { noteRemoved, takeOver } from './take-over.js';

export interface BuildSettings {
  /** Indexes with fewer rows have no graph: the exact scan is fast enough. */
  readonly buildFrom: number;
  /** Megabytes of one graph (it copies the vectors); a larger index gets several. */
  readonly segmentMegabytes: number;
  /** Milliseconds without a write before building starts. */
  readonly quietMs: number;
}

/** Milliseconds without a search after which building resumes. */
const IDLE_MS = 200;
/**
 * While searches go on it does a slice so often where this many rows or more are in no graph, since each search scans them; more
 * rarely the fewer they are, but ten times as rarely at most.
 */
const SEARCHING_MS = 60;
const MANY = 100_000;
const RARER = 10;
/** The same for writes: the next batch of a load may take a while to come. */
const WRITING_MS = 2000;
const LOADING_MS = 1000;
const LONGEST_WAIT_MS = 30_000;
/** Rows that building again costs less than writing them at the end. */
const FEW = 2000;

/**
 * Keeps one index's graphs near its rows, in slices on the main thread while no writes arrive. Searches use whatever is
 * built and scan the rest exactly, so a graph that is behind costs time, never answers. Files are written when a build
 * ends.
 */
export class GraphBuilder {
  readonly segments: Segments;
  /** Successors that are being built because most of some graphs was deleted. */
  private next: Segments | undefined;
  private timer: NodeJS.Timeout | undefined;
  private firstRequestedAt = 0;
  private working: Promise<void> | undefined;
  private restoring: Promise<void> | undefined;
  /** Rows that are removed while a file's graph is compared with the rows. */
  private removedMeanwhile: Set<number> | undefined;
  private restored = false;
  private stopped = false;
  private pausedUntil = 0;
  private writingUntil = 0;
  private readonly rowBytes: number;

  constructor(
    private readonly arena: Arena,
    private readonly options: {
      readonly settings: BuildSettings;
      readonly file: GraphFile | undefined;
      readonly budget: GraphBudget;
    },
  ) {
    this.rowBytes = graphRowBytes(arena.dimension);
    const { segmentMegabytes } = options.settings;
    this.segments = new Segments(Math.max(1, Math.floor((segmentMegabytes * 2 ** 20) / this.rowBytes)));
    options.budget.join(this);
  }

  /** What its graphs take. */
  get bytes(): number {
    return this.segments.bytes + (this.next?.bytes ?? 0);
  }

  /** Takes over the file's graphs as far as they fit the rows; then builds what is missing. Called once the rows are loaded. */
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
    this.segments.remove(ref);
    this.next?.remove(ref);
  }

  /**
   * Plans to build, once it is quiet, after rows were added or removed; a running build gives way as it does to
   * requests.
   */
  changed(): void {
    this.giveWay(WRITING_MS);
    this.writingUntil = this.pausedUntil;
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

  /** Resolves once everything that has room is in a graph (for tests and benchmarks). */
  async whenBuilt(): Promise<void> {
    await this.restore();
    while (!this.stopped && (this.working !== undefined || this.hasWork())) {
      if (this.working === undefined) this.start();
      this.pausedUntil = 0;
      await this.working;
    }
  }

  async stop(): Promise<void> {
    await this.end();
    if (this.grown > FEW) await this.save();
  }

  /** Stops without writing, for an index that is deleted. */
  async discard(): Promise<void> {
    await this.end();
    this.segments.clear();
    await this.options.file?.remove();
  }

  /** Counts the rows that every search scans because the graphs may take no more memory. */
  get beyond(): number {
    const { arena, segments } = this;
    const missing = arena.live >= this.options.settings.buildFrom ? arena.live - segments.live : 0;
    return missing > 0 && !this.hasRoom() ? missing : 0;
  }

  private async end(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.restoring;
    await this.working;
    this.options.budget.leave(this);
  }

  private async readFile(): Promise<void> {
    const { file } = this.options;
    if (file === undefined) return;
    try {
      await this.takeOverGraphs(file);
      if (!this.stopped && this.segments.all.length === 0) await file.remove();
    } catch {
      // The file is a cache: what cannot be read, or be removed, is built anew and written over.
    } finally {
      this.removedMeanwhile = undefined;
    }
  }

  private async takeOverGraphs(file: GraphFile): Promise<void> {
    const { arena, segments } = this;
    for await (const graph of file.read(arena)) {
      if (this.stopped || !this.options.budget.fits(graph.bytes)) return;
      const labels = graph.labels();
      const removed = new Set<number>();
      this.removedMeanwhile = removed;
      await noteRemoved(arena, labels, removed);
      this.removedMeanwhile = undefined;
      if (!takeOver(arena, segments, { graph, labels, removed })) return;
    }
  }

  private hasRoom(): boolean {
    return this.options.budget.fits(this.rowBytes);
  }

  private hasWork(): boolean {
    const { arena, segments } = this;
    if (segments.all.length === 0 && arena.live < this.options.settings.buildFrom) return false;
    return segments.worn() !== undefined || (arena.slotAfter(segments.lastRef) < arena.size && this.hasRoom());
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
    const { segments } = this;
    try {
      await this.build();
      // A crash costs what is not written; a large index is written graph by graph.
      if (!this.stopped && this.grown > Math.min(segments.live / 10, segments.rows / 2)) await this.save();
    } catch {
      // The graphs are a cache: drop them; exact search continues and the next change starts them anew.
      segments.clear();
      this.next = undefined;
    }
  }

  private async build(): Promise<void> {
    const { segments } = this;
    for (let worn = segments.worn(); worn !== undefined && !this.stopped; worn = segments.worn()) {
      if (this.arena.live < this.options.settings.buildFrom) {
        segments.clear();
        await this.options.file?.remove();
        return;
      }
      await this.renew(worn);
    }
    while (!this.stopped && this.addSome(segments, Number.POSITIVE_INFINITY)) await this.pause();
  }

  /** Builds the rows of worn-out graphs anew, beside them. */
  private async renew(worn: Stretch): Promise<void> {
    const { after, upTo } = this.segments.refsOf(worn);
    const next = new Segments(this.segments.rows, after);
    this.next = next;
    while (!this.stopped && this.addSome(next, upTo)) await this.pause();
    if (!this.stopped) this.segments.replace(worn, next.all);
    this.next = undefined;
  }

  /** Adds rows up to a ref for one slice; false when none is left, or no room. */
  private addSome(to: Segments, upTo: number): boolean {
    const { arena } = this;
    const until = performance.now() + SLICE_MS;
    for (let slot = arena.slotAfter(to.lastRef); slot < arena.size && arena.refs[slot]! <= upTo; slot += 1) {
      if (arena.alive[slot] === 1) {
        // Those that replace others free more than they take.
        if (to === this.segments && !this.hasRoom()) return false;
        this.graphFor(to).add(arena.refs[slot]!, arena.vectorAt(slot));
      }
      to.lastRef = arena.refs[slot]!;
      if (performance.now() > until) return true;
    }
    return false;
  }

  private graphFor(segments: Segments): Graph {
    const { arena } = this;
    if (segments.open === undefined) {
      const rows = segments === this.segments ? arena.live - segments.live : arena.live;
      segments.push(Graph.empty(arena, Math.min(segments.rows, rows)));
    }
    return segments.open!;
  }

  private async pause(): Promise<void> {
    const since = performance.now();
    const left = this.arena.live - this.segments.live;
    const searching = SEARCHING_MS * Math.min(RARER, Math.max(1, MANY / left));
    const longest = (now: number): number => (now < this.writingUntil ? LOADING_MS : searching);
    for (
      let now = since;
      !this.stopped && now < this.pausedUntil && now < since + longest(now);
      now = performance.now()
    ) {
      await new Promise<void>((resolve) => setTimeout(resolve, SLICE_MS));
    }
    await nextTurn();
  }

  /** Rows in graphs that no file has. */
  private get grown(): number {
    return this.segments.all.reduce((sum, graph) => sum + graph.rows - (graph.saved?.rows ?? 0), 0);
  }

  private async save(): Promise<void> {
    const { file } = this.options;
    const { all } = this.segments;
    if (file === undefined || all.length === 0) return;
    try {
      await file.write(all, this.arena);
    } catch {
      for (const graph of all) graph.saved = undefined;
      await file.remove().catch(() => undefined);
    }
  }
}
