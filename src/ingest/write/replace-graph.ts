import { randomUUID } from 'node:crypto';
import type { Restored } from '../../backends/graph/port.js';
import { isLeased, withLease } from '../../backends/store/leases.js';
import type { WriteScope } from '../../backends/store/scope.js';
import { addOutbox, deleteOutbox } from '../../backends/store/unfinished/outbox.js';
import { deleteAllPendingLoads } from '../../backends/store/unfinished/pending-loads.js';
import { isoTime } from '../../core/clock.js';
import { SvcError } from '../../core/errors.js';
import { reindex, syncAllIndexes } from '../index/reindex.js';
import type { LoadOptions, LoadPorts } from './ports.js';
import { withFollowers } from './with-followers.js';

/** The lease of a process that replaces the whole graph, and of the job that finishes for one that died. */
const LEASE = { name: 'graph:replace', ttl: 30_000 } as const;

/** Runs `work` as the only replacement of the graph; throws `conflict` while another one runs. */
export async function replacing<T>(ports: LoadPorts, work: () => Promise<T>): Promise<T> {
  const lease = { ...LEASE, holder: randomUUID(), clock: ports.clock };
  const done = await withLease(ports.store, lease, async () => ({ value: await work() }));
  if (done === null) {
    throw new SvcError(
      'conflict',
      'The graph is being restored or imported already; wait until that has ended (half a minute where its process died).',
    );
  }
  return done.value;
}

/** Runs a periodic write, unless the graph is being replaced; the next period tries again. */
export async function unlessReplacing(ports: Pick<LoadPorts, 'store' | 'clock'>, work: () => Promise<unknown>) {
  if (!(await isLeased(ports.store, LEASE.name, ports.clock()))) await work();
}

/**
 * Replaces the graph in one transaction, which notes what text index and vectors must take over, and brings them up to
 * date.
 */
export async function replaceGraph(
  ports: LoadPorts,
  replace: (scope: WriteScope) => Promise<Restored>,
  options: LoadOptions = {},
): Promise<Restored> {
  const { value } = await withFollowers(ports, () =>
    ports.store.write(async (scope) => {
      await deleteAllPendingLoads(scope.db);
      const restored = await replace(scope);
      const ids = JSON.stringify(idsOf(restored));
      return { restored, row: await addOutbox(scope.db, 'follow', ids, isoTime(ports.clock())) };
    }),
  );
  await syncAllIndexes(ports, idsOf(value.restored), options);
  await ports.store.write((scope) => deleteOutbox(scope.db, value.row));
  return value.restored;
}

function idsOf({ changed, removed }: Restored): string[] {
  return [...removed, ...changed];
}

/** Finishes a replacement whose process died; returns false while another process replaces the graph. */
export async function finishReplacing(ports: LoadPorts, row: number): Promise<boolean> {
  const lease = { ...LEASE, holder: randomUUID(), clock: ports.clock };
  const done = await withLease(ports.store, lease, async () => {
    await reindex(ports);
    await ports.store.write((scope) => deleteOutbox(scope.db, row));
    return true;
  });
  return done ?? false;
}
