import type { Kysely } from 'kysely';
import { PerTurn } from '../../../core/async/per-turn.js';
import { slicer } from '../../../core/async/slices.js';
import type { JsonObject } from '../../../core/model.js';
import { RefIds } from '../../../core/ref-ids.js';
import type { Database } from '../../store/schema.js';
import { type Filter, matches } from '../filter.js';
import { type ColumnDraft, Columns } from './columns.js';
import type { GraphBudget } from './graph/graph-budget.js';
import { type BuildSettings, GraphBuilder } from './graph/graph-builder.js';
import type { GraphFile } from './graph/graph-file.js';
import { passedLimits } from './limits.js';
import { eachMetadata, eachVector } from './row-pages.js';
import type { IndexRow } from './rows.js';
import { Arena } from './scan/arena.js';
import { Simd } from './scan/simd.js';
import { candidatesOf, type RankedRef, search } from './search.js';
import type { Candidates, SearchLimits } from './search-request.js';
import type { VectorChange } from './vector-change.js';

export interface IndexSettings extends BuildSettings, SearchLimits {}

export interface IndexQuery {
  /** As prepared for the metric. */
  readonly vector: Float32Array;
  readonly k: number;
  readonly filter: Filter | undefined;
  readonly partitions: readonly string[] | undefined;
}

/** Stands for one running transaction. */
export interface UncommittedChange {
  readonly refs: readonly number[];
}

const COMPACT_FROM = 4096;
/** Changes that are followed before the event loop turns. */
const AT_ONCE = 1000;

/** One index in memory: vectors, columns of filtered members and the graphs, kept equal to the committed rows. */
export class LoadedIndex {
  readonly arena: Arena;
  readonly builder: GraphBuilder;
  /** Refs and ids met so far; a ref is never given twice. */
  readonly ids = new RefIds();
  private readonly columns = new Columns();
  private readonly drafts = new Map<ColumnDraft, Set<number>>();
  private ready: Promise<void>;
  private isReady = false;
  private hasFailed = false;
  private readonly early: VectorChange[] = [];
  private readonly followed = new PerTurn();
  /** Refs of writes whose transaction has not ended yet, oldest first. */
  private pending: UncommittedChange[] = [];
  /** Searches that are between two slices; compaction waits for them. */
  private readers = 0;
  private compacting = false;
  private closed = false;

  constructor(
    private readonly db: Kysely<Database>,
    readonly row: IndexRow,
    private readonly options: {
      readonly settings: IndexSettings;
      readonly file: GraphFile | undefined;
      readonly budget: GraphBudget;
      readonly fresh: boolean;
    },
  ) {
    this.arena = new Arena(row.dimension, row.metric, Simd.shared());
    this.builder = new GraphBuilder(this.arena, options);
    this.ready = this.start();
  }

  /** Resolves when the rows are in memory; a load that failed is tried again. */
  async loaded(): Promise<void> {
    if (this.isReady) return;
    if (this.hasFailed) this.ready = this.start();
    await this.ready;
  }

  /** Follows committed changes, called after each commit; where many come at once, readers wait until all are followed. */
  apply(changes: readonly VectorChange[]): void {
    const many = this.followed.add(changes.length) > AT_ONCE;
    if (!this.isReady || many) {
      for (const change of changes) this.early.push(change);
      if (this.isReady) this.ready = this.catchUp();
      return;
    }
    for (const change of changes) this.one(change);
    this.builder.changed();
    this.compactIfWasteful();
  }

  /** Remembers what a transaction touched until it commits, for writes that select by filter before that. */
  expect(changes: readonly VectorChange[]): UncommittedChange {
    const pending = { refs: changes.map((change) => change.ref) };
    this.pending.push(pending);
    return pending;
  }

  /** Forgets what a committed transaction touched. Writes are serial, so older ones, failed ones too, have ended. */
  forgetPending(pending: UncommittedChange): void {
    const at = this.pending.indexOf(pending);
    if (at >= 0) this.pending = this.pending.slice(at + 1);
  }

  /** Returns a sentence for each limit that the index, of this name, has passed. */
  passedLimits(name: string): string[] {
    const { live, exceedsKernels } = this.arena;
    return passedLimits(name, { live, exceedsKernels, beyond: this.builder.beyond });
  }

  /** Returns the best candidates by ref; the caller reads their rows. */
  async search(query: IndexQuery): Promise<{ found: RankedRef[]; ties: number[] }> {
    await this.loaded();
    this.builder.giveWay();
    const mask = await this.maskOf(query.filter);
    this.readers += 1;
    try {
      return await search(this.arena, this.builder.segments, {
        query: query.vector,
        k: query.k,
        candidates: this.candidates(query.partitions, query.filter, mask),
        limits: this.options.settings,
      });
    } finally {
      this.readers -= 1;
    }
  }

  /**
   * Returns the refs of rows that may pass: those that do as of the last commit, and all that running transactions
   * touched.
   */
  async select(filter: Filter | undefined, partition: string | undefined): Promise<number[]> {
    await this.loaded();
    const mask = await this.maskOf(filter);
    const partitions = partition === undefined ? undefined : [partition];
    const { mask: passes } = this.candidates(partitions, filter, mask);
    const refs = new Set(this.pending.flatMap((pending) => pending.refs));
    for (let slot = 0; slot < this.arena.size; slot += 1) {
      if (this.arena.alive[slot] === 1 && (passes === undefined || passes[slot] === 1)) {
        refs.add(this.arena.refs[slot]!);
      }
    }
    return [...refs];
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.ready.catch(() => undefined);
    await this.builder.stop();
    await this.dispose();
  }

  async discard(): Promise<void> {
    this.closed = true;
    await this.ready.catch(() => undefined);
    await this.builder.discard();
    await this.dispose();
  }

  /** Gives the memory back once no search reads it any more. */
  private async dispose(): Promise<void> {
    while (this.readers > 0) await new Promise<void>((resolve) => setImmediate(resolve));
    this.arena.dispose();
  }

  /** Returns the candidates at this moment. Where columns exist the mask is taken anew: rows may have moved since. */
  private candidates(
    partitions: readonly string[] | undefined,
    filter: Filter | undefined,
    byRow: Set<number> | undefined,
  ): Candidates {
    if (filter === undefined) return candidatesOf(this.arena, partitions, undefined);
    if (byRow === undefined) {
      return candidatesOf(this.arena, partitions, this.columns.evaluate(filter, this.arena.size));
    }
    const mask = new Uint8Array(this.arena.size);
    for (const ref of byRow) {
      const slot = this.arena.slotOf(ref);
      if (slot >= 0) mask[slot] = 1;
    }
    return candidatesOf(this.arena, partitions, mask);
  }

  /** Makes sure that columns exist for the filter; for a filter over too many members, returns the refs that pass. */
  private async maskOf(filter: Filter | undefined): Promise<Set<number> | undefined> {
    if (filter === undefined) return undefined;
    if (Columns.tooMany(filter)) {
      const refs = new Set<number>();
      await eachMetadata(this.db, this.row.id, (ref, metadata) => {
        if (matches(filter, metadata)) refs.add(ref);
      });
      return refs;
    }
    // Another query may push columns out while these are being made, so look again afterwards.
    for (let missing = this.columns.missing(filter); missing.length > 0; missing = this.columns.missing(filter)) {
      await this.makeColumns(missing);
    }
    return undefined;
  }

  private async makeColumns(paths: ReadonlyArray<readonly string[]>): Promise<void> {
    const draft = this.columns.draft(paths, this.arena.size);
    const touched = new Set<number>();
    this.drafts.set(draft, touched);
    try {
      await eachMetadata(this.db, this.row.id, (ref, metadata) => {
        const slot = touched.has(ref) ? -1 : this.arena.slotOf(ref);
        if (slot >= 0) draft.set(slot, metadata);
      });
      this.columns.publish(draft);
    } finally {
      this.drafts.delete(draft);
    }
  }

  private start(): Promise<void> {
    this.hasFailed = false;
    const loading = this.options.fresh ? Promise.resolve().then(() => this.finishLoad()) : this.load();
    loading.then(
      () => this.builder.restore(),
      () => {
        this.hasFailed = true;
      },
    );
    return loading;
  }

  private async load(): Promise<void> {
    const { arena } = this;
    await eachVector(this.db, this.row, {
      after: arena.lastRef,
      isStopped: () => this.closed,
      visit: (row, vector) => void arena.append(row.ref, vector, row),
    });
    this.finishLoad();
  }

  /** Follows the changes that wait, in slices. */
  private async catchUp(): Promise<void> {
    this.isReady = false;
    const pause = slicer();
    for (const change of this.early) {
      this.one(change);
      await pause();
    }
    this.early.length = 0;
    this.isReady = true;
    this.builder.changed();
    this.compactIfWasteful();
  }

  private finishLoad(): void {
    for (const change of this.early.splice(0)) this.one(change);
    this.isReady = true;
  }

  private one(change: VectorChange): void {
    if (change.kind === 'append') {
      const slot = this.arena.append(change.ref, change.vector, change);
      if (slot !== undefined) this.describe(slot, change);
      return;
    }
    const slot = this.arena.slotOf(change.ref);
    if (slot < 0) return;
    if (change.kind === 'metadata') this.describe(slot, change);
    else {
      this.builder.removed(change.ref);
      this.arena.kill(slot);
      this.ids.drop(change.ref);
    }
  }

  private describe(slot: number, change: { ref: number; metadata: JsonObject }): void {
    this.columns.set(slot, change.metadata);
    for (const [draft, touched] of this.drafts) {
      draft.set(slot, change.metadata);
      touched.add(change.ref);
    }
  }

  private compactIfWasteful(): void {
    const { arena } = this;
    if (this.compacting || arena.wasted < COMPACT_FROM || arena.wasted < arena.live) return;
    this.compacting = true;
    const step = (): void => {
      if (this.closed) return;
      const moved = (from: number, to: number): void => {
        this.columns.move(from, to);
        for (const draft of this.drafts.keys()) draft.move(from, to);
      };
      if (this.readers === 0 && arena.compact(2048, moved)) this.compacting = false;
      else setImmediate(step);
    };
    setImmediate(step);
  }
}
