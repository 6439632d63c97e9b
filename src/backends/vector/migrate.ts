import { stopIfAborted } from '../../core/async/abort.js';
import { SvcError } from '../../core/errors.js';
import type { Store } from '../store/scope.js';
import { countUnequal, type Pair, pages, reconcile } from './migration/compare.js';
import { type Cursor, cursors, START } from './migration/cursor.js';
import { CURSOR_INDEX, type IndexInfo, type VectorBackend } from './port.js';

export type VectorKind = 'hnsw' | 'pgvector' | 'qdrant';

const KINDS: Readonly<Record<string, VectorKind>> = {
  hnsw: 'hnsw',
  sqlite: 'hnsw',
  embedded: 'hnsw',
  pgvector: 'pgvector',
  postgres: 'pgvector',
  qdrant: 'qdrant',
};
const CANCELLED = 'The migration was cancelled; start it again and it resumes here.';

export interface MigrationRequest {
  readonly from: string;
  /** Default: the kind that is configured. */
  readonly to?: string;
  readonly batchSize: number;
  readonly dryRun: boolean;
  readonly signal?: AbortSignal;
  readonly progress?: (done: number, total: number | undefined, message: string) => void;
}

export interface MigrationResult {
  readonly source_type: string;
  readonly dest_type: string;
  readonly batches: number;
  readonly vectors_read: number;
  readonly vectors_written: number;
  readonly duration_seconds: number;
  readonly dry_run: boolean;
  /**
   * Entries of the source that the destination lacks or has otherwise at the end: only what its clients did meanwhile.
   */
  readonly unequal: number;
}

interface MigrationCounts {
  batches: number;
  read: number;
  written: number;
  total: number;
  unequal: number;
}

/**
 * Copies all vector indexes between engines, in batches, from where an interrupted run stopped. The engine that serves
 * may be either side: as the source it may be written to while it is copied, and the copy catches up; as the
 * destination its own entries win and only absent ids are added.
 */
export class VectorMigrations {
  private readonly running = new Set<string>();

  constructor(
    private readonly options: {
      readonly store: Store;
      /** The engine that serves. */
      readonly current: VectorBackend;
      /** Opens and connects another one; `unavailable` where it is not configured. */
      readonly open: (kind: VectorKind) => Promise<VectorBackend>;
    },
  ) {}

  async run(request: MigrationRequest): Promise<MigrationResult> {
    const from = kindOf(request.from, 'source_type');
    const to = kindOf(request.to ?? this.options.current.kind, 'to');
    if (from === to)
      throw new SvcError('invalid_input', `Source and destination are both ${from}; name two kinds.`, {
        member: 'source_type',
      });
    const id = `${from}-${to}`;
    if (this.running.has(id)) throw new SvcError('conflict', `A migration from ${from} to ${to} is running already.`);
    this.running.add(id);
    const opened: VectorBackend[] = [];
    try {
      const source = await this.backend(from, opened, 'source_type');
      const destination = await this.backend(to, opened, 'to');
      return { ...(await this.copy(id, { source, destination }, request)), source_type: from, dest_type: to };
    } finally {
      this.running.delete(id);
      for (const backend of opened) await backend.disconnect();
    }
  }

  /** Opens an engine; throws `invalid_input` naming `member` where the settings do not say how. */
  private async backend(kind: VectorKind, opened: VectorBackend[], member: string): Promise<VectorBackend> {
    if (kind === this.options.current.kind) return this.options.current;
    const backend = await this.options.open(kind).catch((cause: unknown) => {
      if (!(cause instanceof SvcError) || cause.code !== 'invalid_input') throw cause;
      throw new SvcError('invalid_input', cause.message, { member }, { cause });
    });
    opened.push(backend);
    return backend;
  }

  private async copy(
    id: string,
    engines: { source: VectorBackend; destination: VectorBackend },
    request: MigrationRequest,
  ): Promise<Omit<MigrationResult, 'source_type' | 'dest_type'>> {
    const started = performance.now();
    const pair: Pair = {
      ...engines,
      batchSize: request.batchSize,
      checkpoint: () => stopIfAborted(request.signal, CANCELLED),
    };
    const indexes = await movedIndexes(pair.source);
    const total = indexes.reduce((sum, index) => sum + index.count, 0);
    const counts: MigrationCounts = { batches: 0, read: 0, written: 0, total, unequal: 0 };
    let cursor: Cursor = START;
    if (!request.dryRun) cursor = (await cursors.read(this.options.store.db, id)) ?? START;
    for (const index of indexes) {
      if (!request.dryRun) await pair.destination.createIndex(index.name, index);
      if (cursor.done.includes(index.name)) continue;
      const after = cursor.index === index.name ? cursor.after : undefined;
      for await (const page of pages(pair.source, index.name, { limit: request.batchSize, after })) {
        pair.checkpoint();
        counts.batches += 1;
        counts.read += page.length;
        if (!request.dryRun) {
          counts.written += await this.put(pair, index.name, page);
          cursor = { done: cursor.done, index: index.name, after: page.at(-1)!.id };
          await cursors.write(this.options.store, id, cursor);
        }
        request.progress?.(counts.read, counts.total, index.name);
      }
      cursor = { done: [...cursor.done, index.name] };
    }
    if (!request.dryRun) {
      await this.finish(pair, counts, request);
      await cursors.remove(this.options.store, id);
    }
    return {
      batches: counts.batches,
      vectors_read: counts.read,
      vectors_written: counts.written,
      duration_seconds: Math.round(performance.now() - started) / 1000,
      dry_run: request.dryRun,
      unequal: counts.unequal,
    };
  }

  private async put(pair: Pair, name: string, page: Parameters<VectorBackend['upsert']>[1]): Promise<number> {
    if (this.isLive(pair)) return pair.destination.insertAbsent(name, page);
    await pair.destination.upsert(name, page);
    return page.length;
  }

  /** Compares what is on both sides now, indexes that came meanwhile included. */
  private async finish(pair: Pair, counts: MigrationCounts, request: MigrationRequest): Promise<void> {
    for (const index of await movedIndexes(pair.source)) {
      request.progress?.(counts.read, counts.total, `comparing ${index.name}`);
      await pair.destination.createIndex(index.name, index);
      if (this.isLive(pair)) counts.unequal += await countUnequal(pair, index.name);
      else counts.written += await reconcile(pair, index.name);
    }
  }

  /** Says whether clients write to the destination meanwhile. */
  private isLive(pair: Pair): boolean {
    return pair.destination === this.options.current;
  }
}

/** Returns every index but the cursor, which holds for the engine in which it lies. */
async function movedIndexes(source: VectorBackend): Promise<IndexInfo[]> {
  return (await source.listIndexes()).filter(({ name }) => name !== CURSOR_INDEX);
}

function kindOf(name: string, member: string): VectorKind {
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
  if (kind !== undefined) return kind;
  throw new SvcError('invalid_input', `${member} must be hnsw, pgvector or qdrant.`, { member });
}
