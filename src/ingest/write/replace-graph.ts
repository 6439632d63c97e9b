import { randomUUID } from 'node:crypto';
import type { Restored } from '../../backends/graph/port.js';
import { isHeld, withLease } from '../../backends/store/leases.js';
import { addOutbox, deleteOutbox } from '../../backends/store/outbox.js';
import type { WriteScope } from '../../backends/store/scope.js';
import { isoTime } from '../../core/clock.js';
import { SvcError } from '../../core/errors.js';
import { followAll, reindex, removeOrphans } from '../index/reindex.js';
import type { LoadOptions, LoadPorts } from './load.js';
import { withFollowers } from './with-followers.js';

/** Held by whoever replaces the whole graph, and by the job that finishes for one that died. */
const LEASE = { name: 'graph:replace', ttl: 30_000 } as const;

/** Runs what replaces the graph; `conflict` while another one does. */
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

/** Runs what writes by itself, but not into a graph that is being replaced: it comes round again. */
export async function unlessReplacing(ports: Pick<LoadPorts, 'store' | 'clock'>, work: () => Promise<unknown>) {
  if (!(await isHeld(ports.store, LEASE.name, ports.clock()))) await work();
}

/**
 * Replaces the graph and brings text index and vectors in line with it. Where the graph shares the store, one
 * transaction replaces it and notes what must follow; elsewhere a note made before tells a later start to compare all.
 */
export async function replaceGraph(
  ports: LoadPorts,
  replace: (scope?: WriteScope) => Promise<Restored>,
  options: LoadOptions = {},
): Promise<Restored> {
  const { value } = await withFollowers(ports, () =>
    ports.graph.joinsStore
      ? ports.store.write(async (scope) => noted(ports, await replace(scope), { scope }))
      : replaceElsewhere(ports, replace),
  );
  const { restored, row } = value;
  if (!ports.graph.joinsStore) await removeOrphans(ports);
  await followAll(ports, idsOf(restored), options);
  await ports.store.write((scope) => deleteOutbox(scope.db, row));
  return restored;
}

async function replaceElsewhere(ports: LoadPorts, replace: () => Promise<Restored>) {
  const now = isoTime(ports.clock());
  const pending = await ports.store.write((scope) => addOutbox(scope.db, 'reindex', 'null', now));
  try {
    const restored = await replace();
    return await ports.store.write((scope) => noted(ports, restored, { scope, instead: pending }));
  } catch (error) {
    // A refusal left the graph as it was. After a broken connection nobody knows: the note stays.
    if (error instanceof SvcError && error.code !== 'unavailable') {
      await ports.store.write((scope) => deleteOutbox(scope.db, pending));
    }
    throw error;
  }
}

async function noted(
  ports: LoadPorts,
  restored: Restored,
  { scope, instead }: { readonly scope: WriteScope; readonly instead?: number },
): Promise<{ restored: Restored; row: number }> {
  if (instead !== undefined) await deleteOutbox(scope.db, instead);
  const ids = JSON.stringify(idsOf(restored));
  return { restored, row: await addOutbox(scope.db, 'follow', ids, isoTime(ports.clock())) };
}

function idsOf({ changed, removed }: Restored): string[] {
  return [...removed, ...changed];
}

/**
 * Goes on with a restore that broke off and left the graph in between, so that the service answers again without a
 * restart; nothing where somebody is at it.
 */
export async function resumeReplacing({ graph, store, clock }: LoadPorts): Promise<void> {
  if (graph.resumeRestore === undefined) return;
  await withLease(store, { ...LEASE, holder: randomUUID(), clock }, async () => graph.resumeRestore?.());
}

/** Finishes for a process that died while it replaced the graph; false while one that lives is at it. */
export async function finishReplacing(ports: LoadPorts, row: number): Promise<boolean> {
  const lease = { ...LEASE, holder: randomUUID(), clock: ports.clock };
  const done = await withLease(ports.store, lease, async () => {
    await reindex(ports);
    await ports.store.write((scope) => deleteOutbox(scope.db, row));
    return true;
  });
  return done ?? false;
}
