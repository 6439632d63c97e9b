import { deleteOutbox, listOutbox } from '../../backends/store/outbox.js';
import { isoTime } from '../../core/clock.js';
import { SvcError } from '../../core/errors.js';
import { applyForget, type PendingForget } from '../forget.js';
import { finishLate } from './late.js';
import type { LoadPorts } from './load.js';
import { applyManifest, type PendingLoad } from './load-outside.js';
import { finishReplacing, resumeReplacing } from './replace-graph.js';

/**
 * Finishes what a crash or a dead engine left undone, oldest first; answers how many rows it finished. Rows younger than
 * `minAge` ms are left to the call that is working on them; doing one twice does no harm.
 */
export async function drainOutbox(ports: LoadPorts, minAge = 0): Promise<number> {
  let finished = 0;
  const before = isoTime(ports.clock() - minAge);
  const rows = await listOutbox(ports.store.db, 1000);
  // A graph half restored takes nothing, and the note that says so may lie behind loads that wait for it.
  if (rows.some(({ kind }) => kind === 'reindex')) await resumeReplacing(ports);
  for (const row of rows) {
    if (row.created_at > before) continue;
    const payload: unknown = JSON.parse(row.payload);
    try {
      if (row.kind === 'load') await applyManifest(ports, { ...(payload as Omit<PendingLoad, 'row'>), row: row.id });
      else if (row.kind === 'forget')
        await applyForget(ports, { ...(payload as Omit<PendingForget, 'row'>), row: row.id });
      else if (row.kind === 'follow') await finishLate(ports, { row: row.id, ids: payload as string[] });
      else if (!(await finishReplacing(ports, row.id))) continue;
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
