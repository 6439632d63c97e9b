import type { GraphDelta } from '../../backends/graph/port.js';
import type { WriteScope } from '../../backends/store/scope.js';
import type { Embedded } from '../index/embed.js';
import { embedNoted } from '../index/embed-pending.js';
import type { LoadPorts } from './ports.js';
import { updateIndexes } from './sync-indexes.js';

/**
 * Writes text and vectors inside the transaction. Returns the nodes whose vectors must still be made: they are noted as
 * pending with it.
 */
export function indexInTransaction(
  ports: LoadPorts,
  delta: Pick<GraphDelta, 'changed' | 'removed'>,
  { known, scope }: { readonly known: Embedded | Promise<Embedded>; readonly scope: WriteScope },
): Promise<string[]> {
  return updateIndexes(ports, [...new Set([...delta.changed, ...delta.removed])], { known, scope });
}

/** Makes the vectors that the transaction could not; where the model fails, the periodic job does. */
export async function flushDeferred(ports: LoadPorts, deferred: readonly string[]): Promise<void> {
  await embedNoted(ports, deferred).catch(() => undefined);
}
