import {
  FORGETTING,
  isPending,
  listPendingLoads,
  type PendingLoad,
  REMOVING,
} from '../../backends/store/unfinished/pending-loads.js';
import { isoTime } from '../../core/clock.js';
import { finishForgetting, forgetDomainNow } from '../forget.js';
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
    if (load.created_at > before || !(await isPending(ports.store.db, load.token))) continue;
    try {
      if ((await leased(ports, load, () => finish(ports, load))) === true) finished += 1;
    } catch (error) {
      onError(error);
    }
  }
  return finished;
}

async function finish(ports: LoadPorts, load: PendingLoad): Promise<boolean> {
  if (load.complete === REMOVING) {
    await forgetDomainNow(ports, load.domain);
    return true;
  }
  return load.complete === FORGETTING ? finishForgetting(ports, load) : finishLoad(ports, load);
}
