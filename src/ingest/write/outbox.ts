import { deleteOutbox, listOutbox } from '../../backends/store/outbox.js';
import { isoTime } from '../../core/clock.js';
import { SvcError } from '../../core/errors.js';
import type { Manifest } from '../../core/model.js';
import { forgetSource } from '../forget.js';
import { flushDeferred } from './deferred.js';
import { load } from './load.js';
import type { LoadPorts } from './ports.js';
import { finishReplacing } from './replace-graph.js';

/**
 * Finishes what a crash or a dead engine interrupted, oldest first; returns how many rows it finished. Rows younger than
 * `minAge` ms belong to a call that still runs; finishing one twice does no harm.
 */
export async function drainOutbox(ports: LoadPorts, minAge = 0): Promise<number> {
  let finished = 0;
  const before = isoTime(ports.clock() - minAge);
  const rows = await listOutbox(ports.store.db, 1000);
  for (const row of rows) {
    if (row.created_at > before) continue;
    const payload: unknown = JSON.parse(row.payload);
    try {
      if (row.kind === 'follow') await flushDeferred(ports, { row: row.id, ids: payload as string[] });
      else if (row.kind === 'reindex') {
        if (!(await finishReplacing(ports, row.id))) continue;
      } else await finishFormer(ports, row.id, payload as FormerWrite);
      finished += 1;
    } catch (error) {
      if (error instanceof SvcError && error.code !== 'unavailable' && error.code !== 'internal') {
        await ports.store.write((scope) => deleteOutbox(scope.db, row.id));
        continue;
      }
      throw error;
    }
  }
  return finished;
}

/** A write that release 0.1 had noted for a graph outside of the store. */
type FormerWrite = { readonly manifest: Manifest } | { readonly id: string };

/** Finishes a write that an earlier release left behind. */
async function finishFormer(ports: LoadPorts, row: number, write: FormerWrite): Promise<void> {
  if ('manifest' in write) await load(ports, write.manifest);
  else await forgetSource(ports, write.id);
  await ports.store.write((scope) => deleteOutbox(scope.db, row));
}
