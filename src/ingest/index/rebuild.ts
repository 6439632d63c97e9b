import { randomUUID } from 'node:crypto';
import type { EmbeddingModel } from '../../backends/embedding/port.js';
import {
  type BuildingIndex,
  type ConceptIndexState,
  clearPending,
  type ModelRecord,
  readPending,
  writeConceptIndex,
} from '../../backends/store/concept-index.js';
import { withLease } from '../../backends/store/leases.js';
import { stopIfAborted } from '../../core/async/abort.js';
import { SvcError } from '../../core/errors.js';
import { type IndexPorts, returnable } from '../write/sync-indexes.js';
import { type ConceptIndexes, sameModel } from './concept-indexes.js';
import { embedPending, writeNodes } from './embed-pending.js';
import { reindex, removeOrphans } from './reindex.js';
import { leftoverIndexes } from './retired-indexes.js';

export interface ReindexOptions {
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ((done: number, total: number | undefined, message: string) => void) | undefined;
}

export interface ReindexResult {
  /** Concepts and passages indexed by this call; those of an interrupted one before it are not made again. */
  readonly nodes: number;
  /** Entries of text or vector index whose node does not exist. */
  readonly removed: number;
  readonly embedding_model: string;
  /** Nodes indexed once more because they were written meanwhile. */
  readonly followed: number;
  readonly duration_seconds: number;
}

const PAGE = 256;
const LEASE_MS = 15_000;
const LEASE_POLL_MS = 500;
const STOPPED =
  'The reindex was stopped; start it again and it resumes from here. The previous index continues to serve.';

/**
 * Embeds everything again with the configured model, into a new index, and lets that serve; the old one serves until
 * then. Writers record the nodes they change meanwhile, which are embedded before the swap. Stopped at any point, it is
 * resumed by the next call.
 */
export class Reindex {
  private running: Promise<ReindexResult> | undefined;
  private readonly listeners = new Set<NonNullable<ReindexOptions['progress']>>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly ports: IndexPorts,
    private readonly concepts: ConceptIndexes,
  ) {}

  /**
   * Runs to the end; joins the one that this process runs already. `conflict` while another process runs one. Without an
   * embedding model only the text index is made to agree with the graph.
   */
  async run({ signal, progress }: ReindexOptions = {}): Promise<ReindexResult> {
    if (progress !== undefined) this.listeners.add(progress);
    try {
      this.running ??= this.start(signal);
      return await this.running;
    } finally {
      if (progress !== undefined) this.listeners.delete(progress);
    }
  }

  /** Resumes a reindex that a crash interrupted, if it was for the configured model; for a periodic job. */
  async resume(): Promise<void> {
    const { building } = await this.concepts.read();
    if (building === null || this.running !== undefined) return;
    if (!sameModel(building.model, this.concepts.options.record)) return;
    this.running = this.start(undefined, true);
    await this.running.catch((error: unknown) => {
      // Another process runs it, or has just finished it.
      if (!(error instanceof SvcError && error.code === 'conflict') && !this.stopping.signal.aborted) throw error;
    });
  }

  /** Embeds what was written while a process without the serving model ran; for a periodic job. */
  async catchUp(): Promise<number> {
    const { embedding, indexName } = await this.concepts.current();
    if (embedding === null) return 0;
    return embedPending(this.ports, { index: indexName, embedding }, { signal: this.stopping.signal });
  }

  /**
   * Embeds the little that a process which ended had not embedded yet, before a service begins; more than a page is left to
   * the periodic job, as is everything while the model does not answer.
   */
  async catchUpAtStart(): Promise<void> {
    const { embedding, indexName } = await this.concepts.current();
    if (embedding === null) return;
    const { ids } = await readPending(this.ports.store.db, indexName, { after: 0, limit: PAGE + 1 });
    if (ids.length === 0 || ids.length > PAGE) return;
    await this.catchUp().catch((error: unknown) => {
      if (!(error instanceof SvcError)) throw error;
    });
  }

  /** Stops a running reindex, which can be resumed. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running?.catch(() => undefined);
  }

  private start(signal: AbortSignal | undefined, resuming = false): Promise<ReindexResult> {
    const signals = [this.stopping.signal, ...(signal === undefined ? [] : [signal])];
    const options: Required<ReindexOptions> = {
      signal: AbortSignal.any(signals),
      progress: (...report) => {
        for (const listener of this.listeners) listener(...report);
      },
    };
    // A store in SQLite has one process: no lease is needed, and none of a dead process has to expire.
    const alone = this.ports.store.dialect === 'sqlite';
    const run = alone ? this.runOnce(options, resuming) : this.leased(options, resuming);
    return run.finally(() => {
      this.running = undefined;
    });
  }

  /** Runs under a lease, one at a time over all processes; waits until the lease of a dead process expires. */
  private async leased(options: ReindexOptions, resuming: boolean): Promise<ReindexResult> {
    const { clock } = this.concepts.options;
    const lease = { name: 'reindex', holder: randomUUID(), ttl: LEASE_MS, clock };
    const deadline = performance.now() + LEASE_MS + 1000;
    for (;;) {
      const result = await withLease(this.ports.store, lease, () => this.runOnce(options, resuming));
      if (result !== null) return result;
      if (resuming || performance.now() > deadline) throw alreadyRunning();
      stopIfAborted(options.signal, STOPPED);
      options.progress?.(0, undefined, 'waiting for another reindex');
      await new Promise((resolve) => setTimeout(resolve, LEASE_POLL_MS));
    }
  }

  private async runOnce(options: ReindexOptions, resuming: boolean): Promise<ReindexResult> {
    if (resuming && (await this.concepts.read()).building === null) throw alreadyRunning();
    const started = performance.now();
    const { embedding, record } = this.concepts.options;
    const result =
      embedding === null || record === null
        ? { ...(await reindex(this.ports, options)), followed: 0 }
        : await this.rebuild({ embedding, record }, options);
    const duration_seconds = Math.round(performance.now() - started) / 1000;
    return { ...result, embedding_model: embedding?.name ?? 'none', duration_seconds };
  }

  private async rebuild(configured: ConfiguredModel, options: ReindexOptions) {
    const { embedding } = configured;
    const removed = await removeOrphans(this.ports, options);
    let building = await this.begin(configured.record);
    const { index } = building;
    const made = await this.ports.vectors.createIndex(index, { dimension: embedding.dimension, metric: 'cosine' });
    // The vectors of an earlier call are lost (an engine in memory, or another engine): start from the first node.
    if (made === 'created') building = { ...building, after: null, scanned: false, embedded: 0 };
    const before = building.embedded;
    let followed = 0;
    do {
      building = await this.scan(building, embedding, options);
      followed += await embedPending(this.ports, { index, embedding }, options);
    } while (!(await this.swap(index)));
    await this.concepts.current();
    await this.removeLeftovers();
    return { nodes: building.embedded - before, removed, followed };
  }

  /** Removes indexes that interrupted calls left; those that served just now stay for requests that still use them. */
  private async removeLeftovers(): Promise<void> {
    for (const index of await leftoverIndexes(this.concepts)) await this.ports.vectors.deleteIndex(index);
  }

  /** Resumes the index that an earlier call left, or begins a new one; from now on writers record the nodes they change. */
  private begin(record: ModelRecord): Promise<BuildingIndex> {
    const { clock, nameOf } = this.concepts.options;
    return this.ports.store.write(async ({ db }) => {
      const state = await this.concepts.read(db, 'update');
      if (state.building !== null && sameModel(state.building.model, record)) return state.building;
      const generation = state.generation + 1;
      const building = {
        index: nameOf(record, generation),
        model: record,
        after: null,
        scanned: false,
        embedded: 0,
      };
      const left = state.building === null ? [] : [{ index: state.building.index, at: clock() }];
      await writeConceptIndex(db, { ...state, generation, building, retired: [...state.retired, ...left] });
      return building;
    });
  }

  /** Indexes every node in order of ids, from where an earlier call stopped. */
  private async scan(
    given: BuildingIndex,
    embedding: EmbeddingModel,
    { signal, progress }: ReindexOptions,
  ): Promise<BuildingIndex> {
    let building = given;
    const totals = await this.ports.graph.statistics();
    const total = totals.concepts + totals.passages;
    let seen = building.embedded;
    while (!building.scanned) {
      stopIfAborted(signal, STOPPED);
      const page = await this.ports.graph.findNodes({
        limit: PAGE,
        ...(building.after === null ? {} : { after: building.after }),
      });
      const nodes = returnable(page);
      await writeNodes(this.ports, { index: building.index, embedding, nodes, ids: nodes.map((node) => node.id) });
      const last = page.at(-1)?.id ?? building.after;
      building = {
        ...building,
        after: last,
        scanned: page.length < PAGE,
        embedded: building.embedded + nodes.length,
      };
      await this.save(building);
      seen += page.length;
      progress?.(Math.min(seen, total), total, `embedding with ${embedding.name}`);
    }
    return building;
  }

  private async save(building: BuildingIndex): Promise<void> {
    await this.ports.store.write(async ({ db }) => {
      const state = await this.concepts.read(db, 'update');
      if (state.building?.index !== building.index) throw supersededError();
      await writeConceptIndex(db, { ...state, building });
    });
  }

  /** Lets the new index serve, unless something was written since the last look. */
  private swap(index: string): Promise<boolean> {
    const { clock } = this.concepts.options;
    return this.ports.store.write(async ({ db }) => {
      const state: ConceptIndexState = await this.concepts.read(db, 'update');
      if (state.building?.index !== index) throw supersededError();
      if ((await readPending(db, index, { limit: 1 })).ids.length > 0) return false;
      const serving = { index, model: state.building.model };
      const retired = [...state.retired, { index: state.serving.index, at: clock() }];
      await writeConceptIndex(db, { ...state, serving, building: null, retired });
      await clearPending(db, state.serving.index);
      return true;
    });
  }
}

interface ConfiguredModel {
  readonly embedding: EmbeddingModel;
  readonly record: ModelRecord;
}

function alreadyRunning(): SvcError {
  return new SvcError('conflict', 'A reindex is running already; `svc status` shows how far it is.');
}

function supersededError(): SvcError {
  return new SvcError('conflict', 'Another reindex took over; `svc status` shows how far it is.');
}
