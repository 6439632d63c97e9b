import { deleteOutbox, listOutbox, type OutboxRow } from '../../backends/store/unfinished/outbox.js';
import { isoTime } from '../../core/clock.js';
import { sourceId } from '../../core/ids.js';
import type { Manifest } from '../../core/model.js';
import { forgetSource } from '../forget.js';
import { Embedded } from '../index/embed.js';
import { finishPendingLoads } from './finish-pending.js';
import { load } from './load.js';
import type { LoadPorts } from './ports.js';
import { finishReplacing } from './replace-graph.js';
import { syncIndexes } from './sync-indexes.js';

/** Rows read at once. */
const ROWS = 100;

/**
 * Finishes restores that a crash interrupted, and writes that release 0.1 left behind; returns how many it finished.
 * Rows younger than `minAge` ms belong to a call that still runs. A row that fails is reported, stays for the next run
 * and holds up no other.
 */
export async function drainOutbox(
  ports: LoadPorts,
  { minAge = 0, onError }: { readonly minAge?: number; readonly onError: (error: unknown) => void },
): Promise<number> {
  let finished = await finishPendingLoads(ports, { minAge, onError });
  const before = isoTime(ports.clock() - minAge);
  const newest = await newestWrites(ports);
  for await (const row of outboxRows(ports)) {
    if (row.created_at > before) continue;
    try {
      if (await finish(ports, row, newest)) finished += 1;
    } catch (error) {
      onError(error);
    }
  }
  return finished;
}

async function* outboxRows({ store }: LoadPorts): AsyncGenerator<OutboxRow> {
  for (let after = 0; ; ) {
    const rows = await listOutbox(store.db, { after, limit: ROWS });
    yield* rows;
    if (rows.length < ROWS) return;
    after = rows.at(-1)!.id;
  }
}

/** Finishes a row; false while another process is at it. */
async function finish(ports: LoadPorts, row: OutboxRow, newest: ReadonlyMap<string, number>): Promise<boolean> {
  if (row.kind === 'reindex') return finishReplacing(ports, row.id);
  const payload: unknown = JSON.parse(row.payload);
  if (row.kind === 'follow') await syncIndexes(ports, payload as string[], new Embedded());
  else await finishFormer(ports, { row, newest }, payload as FormerWrite);
  await ports.store.write((scope) => deleteOutbox(scope.db, row.id));
  return true;
}

/** A write that release 0.1 had noted for a graph outside of the store. */
type FormerWrite = { readonly manifest: Manifest } | { readonly id: string };

function sourceOf(write: FormerWrite): string {
  return 'manifest' in write ? sourceId(write.manifest.source) : write.id;
}

/** Returns the row of the newest write of release 0.1 that replaces or forgets a source, by source. */
async function newestWrites(ports: LoadPorts): Promise<Map<string, number>> {
  const newest = new Map<string, number>();
  for await (const { id, kind, payload } of outboxRows(ports)) {
    if (kind !== 'load' && kind !== 'forget') continue;
    const write = JSON.parse(payload) as FormerWrite;
    if (!appends(write)) newest.set(sourceOf(write), id);
  }
  return newest;
}

function appends(write: FormerWrite): boolean {
  return 'manifest' in write && write.manifest.append === true;
}

/**
 * Finishes a write that an earlier release left behind, unless the source was written since, or a later row replaces or
 * forgets it. What adds to a source is added whatever was added since.
 */
async function finishFormer(
  ports: LoadPorts,
  { row, newest }: { readonly row: OutboxRow; readonly newest: ReadonlyMap<string, number> },
  write: FormerWrite,
): Promise<void> {
  const source_id = sourceOf(write);
  if ((newest.get(source_id) ?? 0) > row.id) return;
  const [source] = await ports.graph.listSources({ source_id });
  if (!appends(write) && source !== undefined && source.updated_at > row.created_at) return;
  if ('manifest' in write) await load(ports, write.manifest);
  else if (source !== undefined) await forgetSource(ports, source_id);
}
