import {
  FORGETTING,
  findPendingLoad,
  listPendingLoads,
  type PendingLoad,
  REMOVING,
} from '../../backends/store/unfinished/pending-loads.js';
import { isoTime } from '../../core/clock.js';
import { finishForgetting, removeDomain } from '../forget.js';
import { finishLoad, leased } from './load-in-steps.js';
import type { LoadPorts } from './ports.js';

/** Finishes sources that a process which died was writing or forgetting in steps; returns how many. */
export async function finishPendingLoads(
  ports: LoadPorts,
  { minAge, onError }: { readonly minAge: number; readonly onError: (error: unknown) => void },
): Promise<number> {
  const before = isoTime(ports.clock() - minAge);
  let finished = 0;
  for (const load of await listPendingLoads(ports.store.db)) {
    if (load.created_at > before) continue;
    try {
      const done = await leased(ports, load, async () => {
        // Whoever had it may have gone on, or ended, or still wait for the source.
        const current = await findPendingLoad(ports.store.db, load.token);
        return current !== undefined && current.created_at <= before && finish(ports, current);
      });
      if (done === true) finished += 1;
    } catch (error) {
      onError(error);
    }
  }
  return finished;
}

async function finish(ports: LoadPorts, load: PendingLoad): Promise<boolean> {
  if (load.complete === REMOVING) {
    await removeDomain(ports, load);
    return true;
  }
  return load.complete === FORGETTING ? finishForgetting(ports, load) : finishLoad(ports, load);
}
