import type { GraphDelta } from '../../backends/graph/port.js';
import { addOutbox, deleteOutbox } from '../../backends/store/outbox.js';
import type { WriteScope } from '../../backends/store/scope.js';
import { isoTime } from '../../core/clock.js';
import { Embedded } from '../index/embed.js';
import type { LoadPorts } from './ports.js';
import { syncIndexes, updateIndexes } from './sync-indexes.js';

/** Index entries that a transaction could not write, and the outbox row that names them. */
interface DeferredWork {
  readonly row: number;
  readonly ids: readonly string[];
}

/** Writes text and vectors inside the transaction; what cannot be written there gets a row of the outbox with it. */
export async function indexInTransaction(
  ports: LoadPorts,
  delta: Pick<GraphDelta, 'changed' | 'removed'>,
  { known, scope }: { readonly known: Embedded; readonly scope: WriteScope },
): Promise<DeferredWork | null> {
  const ids = [...new Set([...delta.changed, ...delta.removed])];
  const deferred =
    ports.vectors.joinsStore && ports.text.joinsStore ? await updateIndexes(ports, ids, { known, scope }) : ids;
  if (deferred.length === 0) return null;
  return { row: await addOutbox(scope.db, 'follow', JSON.stringify(deferred), isoTime(ports.clock())), ids: deferred };
}

/** Writes what the transaction deferred; after a crash the outbox job does. */
export async function flushDeferred(
  ports: LoadPorts,
  deferred: DeferredWork | null,
  known: Embedded = new Embedded(),
): Promise<void> {
  if (deferred === null) return;
  await syncIndexes(ports, deferred.ids, known);
  await ports.store.write((scope) => deleteOutbox(scope.db, deferred.row));
}
