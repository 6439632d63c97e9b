import { randomUUID } from 'node:crypto';
import { addPendingLoad, FORGETTING, isPending } from '../../backends/store/unfinished/pending-loads.js';
import { isoTime } from '../../core/clock.js';
import type { SourceInfo } from '../../core/model.js';
import { obsoleteParts } from '../../ledger/read/obsolete.js';
import { Embedded } from '../index/embed.js';
import { superseded, untilRemoved, writePiece } from './load-in-steps.js';
import { emptyPiece } from './pieces.js';
import type { LoadPorts } from './ports.js';

/**
 * Forgets a large source in many small transactions, so that other writes need not wait for it. It is noted first: from
 * then on the source goes, if need be by the next process. `last` forgets what is left. With the token of a
 * removal of its domain, `conflict` where another call took that over. Returns how many nodes were removed.
 */
export async function forgetInSteps(
  ports: LoadPorts,
  source: SourceInfo,
  { removal, last }: { readonly removal: string | undefined; readonly last: (token: string) => Promise<number> },
): Promise<number> {
  const { source_id, domain } = source;
  const load = { source_id, domain, token: randomUUID() };
  const created_at = isoTime(ports.clock());
  await ports.store.write(async ({ db }) => {
    await addPendingLoad(db, { ...load, created_at }, FORGETTING);
    if (removal !== undefined && !(await isPending(db, removal))) throw superseded();
  });
  let removed = 0;
  const work = async (): Promise<void> => {
    removed += await retractInSteps(ports, source, load.token);
    removed += await last(load.token);
  };
  await untilRemoved(ports, load, work);
  return removed;
}

/** Retracts all that a source asserts, a part in each transaction; returns how many nodes were removed. */
export async function retractInSteps(ports: LoadPorts, source: SourceInfo, token: string): Promise<number> {
  const { source_id, domain, kind, key, label } = source;
  const piece = emptyPiece({ domain, source: { domain, kind, key, label } });
  let removed = 0;
  for await (const part of obsoleteParts(ports.store.db, source_id, null)) {
    const step = { ...piece, piece: { retracted: part.retracted }, without: part.without };
    removed += await writePiece(ports, step, { source_id, token, known: new Embedded() });
  }
  return removed;
}
