import type { GraphDelta } from '../../backends/graph/port.js';
import { addOutbox, deleteOutbox } from '../../backends/store/outbox.js';
import type { WriteScope } from '../../backends/store/scope.js';
import { isoTime } from '../../core/clock.js';
import { Embedded } from '../index/embed.js';
import { follow, followWithin } from './follow.js';
import type { LoadPorts } from './load.js';

/** What a transaction left to do, and the note in the outbox that says so. */
interface Late {
  readonly row: number;
  readonly ids: readonly string[];
}

/** Text and vectors inside the transaction; what cannot be done there is noted in the outbox with it. */
export async function settleWithin(
  ports: LoadPorts,
  delta: Pick<GraphDelta, 'changed' | 'removed'>,
  { known, scope }: { readonly known: Embedded; readonly scope: WriteScope },
): Promise<Late | null> {
  const ids = [...new Set([...delta.changed, ...delta.removed])];
  const late =
    ports.vectors.joinsStore && ports.text.joinsStore ? await followWithin(ports, ids, { known, scope }) : ids;
  if (late.length === 0) return null;
  return { row: await addOutbox(scope.db, 'follow', JSON.stringify(late), isoTime(ports.clock())), ids: late };
}

/** What the transaction left to do, done now; after a crash the outbox job does it. */
export async function finishLate(ports: LoadPorts, late: Late | null, known: Embedded = new Embedded()): Promise<void> {
  if (late === null) return;
  await follow(ports, late.ids, known);
  await ports.store.write((scope) => deleteOutbox(scope.db, late.row));
}
