import { lockDomain } from '../backends/store/locks.js';
import { forgetSource } from './forget.js';
import { Embedded } from './index/embed.js';
import { link } from './link/link.js';
import { finishLate, settleWithin } from './write/late.js';
import type { LoadPorts } from './write/load.js';
import { withFollowers } from './write/with-followers.js';

/**
 * Forgets many small sources of one domain in one write: all of them or none. Unknown ones are passed over. Answers how
 * many there were.
 */
export async function forgetMany(ports: LoadPorts, domain: string, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  if (!ports.graph.joinsStore) return oneByOne(ports, ids);
  return (await withFollowers(ports, () => forgetTogether(ports, domain, ids))).value;
}

async function forgetTogether(ports: LoadPorts, domain: string, ids: readonly string[]): Promise<number> {
  const { late, sources } = await ports.store.write(async (scope) => {
    await lockDomain(scope.db, domain);
    const all = { changed: [] as string[], removed: [] as string[], keys: [] as string[] };
    let forgotten = 0;
    for (const id of ids) {
      const delta = await ports.graph.forgetSource(id, { scope });
      if (delta === null) continue;
      forgotten += 1;
      all.changed.push(...delta.changed);
      all.removed.push(...delta.removed);
      all.keys.push(...delta.keys);
    }
    await link(ports, domain, { delta: { keys: [...new Set(all.keys)] }, passages: [], scope });
    return { late: await settleWithin(ports, all, { known: new Embedded(), scope }), sources: forgotten };
  });
  await finishLate(ports, late);
  return sources;
}

async function oneByOne(ports: LoadPorts, ids: readonly string[]): Promise<number> {
  let sources = 0;
  for (const id of ids) {
    try {
      await forgetSource(ports, id);
      sources += 1;
    } catch (error) {
      if ((error as { code?: string }).code !== 'source_not_found') throw error;
    }
  }
  return sources;
}
