import { setTimeout as sleep } from 'node:timers/promises';
import type { CheckpointInfo } from '../../backends/graph/port.js';
import type { Store, WriteScope } from '../../backends/store/scope.js';
import { listPendingLoads } from '../../backends/store/unfinished/pending-loads.js';
import { SvcError } from '../../core/errors.js';
import type { LoadOptions, LoadPorts } from './load.js';
import { replaceGraph, replacing } from './replace-graph.js';

export interface RestoreResult {
  readonly status: 'restored' | 'dry_run';
  readonly checkpoint_id: string;
  /** Version of the graph after it. */
  readonly version: number;
  /** Nodes whose text and vector were made again, and nodes that were removed; in a dry run, would be. */
  readonly changed: number;
  readonly removed: number;
}

/** Copies of the whole graph: made while writes continue; a restore brings text index and vectors up to date. */
export class GraphCheckpoints {
  constructor(private readonly ports: LoadPorts) {}

  async make(): Promise<CheckpointInfo> {
    for (;;) {
      await this.whole();
      const id = await this.ports.graph.checkpoint();
      if ((await listPendingLoads(this.ports.store.db)).length === 0) return this.known(id);
      // A large source began meanwhile: the checkpoint may hold a part of it.
      await this.ports.graph.deleteCheckpoint(id);
    }
  }

  list(): Promise<CheckpointInfo[]> {
    return this.ports.graph.listCheckpoints();
  }

  /** Deletes a checkpoint; `checkpoint_not_found` if there is none. */
  delete(id: string): Promise<void> {
    return this.ports.graph.deleteCheckpoint(id);
  }

  /**
   * Replaces the graph by the checkpoint's: afterwards the graph is that one, or after a failure the one before, never
   * a mix. Text and vectors follow before this resolves; where the process dies meanwhile they do at the next start. A dry
   * run replaces it in a transaction that is taken back.
   */
  async restore(
    id: string,
    { dryRun = false, ...options }: LoadOptions & { readonly dryRun?: boolean | undefined } = {},
  ): Promise<RestoreResult> {
    const { ports } = this;
    await this.known(id);
    return replacing(ports, async () => {
      options.progress?.(0, undefined, dryRun ? 'comparing the graph' : 'restoring the graph');
      const restore = (scope: WriteScope) => ports.graph.restore(id, scope);
      const { changed, removed } = await (dryRun
        ? takenBack(ports.store, restore)
        : replaceGraph(ports, restore, options));
      const version = await ports.graph.version();
      const status = dryRun ? 'dry_run' : 'restored';
      return { status, checkpoint_id: id, version, changed: changed.length, removed: removed.length };
    });
  }

  /** Waits until no source is half written, for at most ten minutes. */
  private async whole(): Promise<void> {
    for (let left = 6000; (await listPendingLoads(this.ports.store.db)).length > 0; left -= 1) {
      if (left === 0)
        throw new SvcError('conflict', 'A large source is still being written; make the checkpoint later.');
      await sleep(100);
    }
  }

  private async known(id: string): Promise<CheckpointInfo> {
    const found = (await this.list()).find((one) => one.id === id);
    if (found !== undefined) return found;
    throw new SvcError(
      'checkpoint_not_found',
      `Checkpoint ${id} does not exist; list them with \`graph checkpoints\`.`,
    );
  }
}

/** Runs a write and takes it back; returns what it returned. */
async function takenBack<T>(store: Pick<Store, 'write'>, work: (scope: WriteScope) => Promise<T>): Promise<T> {
  const end: { value?: T } = {};
  const taken = new Error('This write is taken back.');
  await store
    .write(async (scope) => {
      end.value = await work(scope);
      throw taken;
    })
    .catch((error: unknown) => {
      if (error !== taken) throw error;
    });
  return end.value as T;
}
