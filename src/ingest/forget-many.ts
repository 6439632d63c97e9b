import { lockDomain } from '../backends/store/locks.js';
import { deletePendingLoads } from '../backends/store/unfinished/pending-loads.js';
import { Embedded } from './index/embed.js';
import { link } from './link/link.js';
import { flushDeferred, indexInTransaction } from './write/deferred.js';
import type { LoadPorts } from './write/load.js';
import { withFollowers } from './write/with-followers.js';

/**
 * Forgets many small sources of one domain in one write: all of them or none. Unknown ones are passed over. Returns how
 * many there were.
 */
export async function forgetMany(ports: LoadPorts, domain: string, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  return (await withFollowers(ports, () => forgetTogether(ports, domain, ids))).value;
}

async function forgetTogether(ports: LoadPorts, domain: string, ids: readonly string[]): Promise<number> {
  const { deferred, sources } = await ports.store.write(async (scope) => {
    await lockDomain(scope.db, domain);
    const all = { changed: [] as string[], removed: [] as string[], keys: [] as string[] };
    await deletePendingLoads(scope.db, ids);
    let forgotten = 0;
    for (const id of ids) {
      const delta = await ports.graph.forgetSource(id, { scope });
      if (delta === null) continue;
      forgotten += 1;
      for (const member of ['changed', 'removed', 'keys'] as const) {
        for (const one of delta[member]) all[member].push(one);
      }
    }
    await link(ports, domain, { delta: { keys: [...new Set(all.keys)] }, passages: [], scope });
    return { deferred: await indexInTransaction(ports, all, { known: new Embedded(), scope }), sources: forgotten };
  });
  await flushDeferred(ports, deferred);
  return sources;
}
