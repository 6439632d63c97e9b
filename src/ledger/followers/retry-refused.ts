import type { Store } from '../../backends/store/scope.js';
import type { EngineCursor, Follower } from '../follower.js';
import { entriesAround } from './around-node.js';
import { type PresentEntry, presentEntry } from './change-entries.js';
import { applyPiecewise, asError, isDown } from './piecewise.js';
import { recordReader } from './record-reader.js';
import type { Refusals } from './refusals.js';

/** Refused records that are tried again at once. */
const RETRIED = 100;

/**
 * Tries once more what an engine refused; a node comes with all that is at it. What is refused again stays noted.
 * Returns false where another process moved the engine's cursor.
 */
export async function retryRefused(
  follower: Follower,
  { store, refusals, from }: { readonly store: Store; readonly refusals: Refusals; readonly from: EngineCursor },
): Promise<boolean> {
  const records = recordReader(store.db);
  const change = { from: from.version, version: from.version };
  for (const refusal of await refusals.list(RETRIED)) {
    const entry = await presentEntry(records, refusal.kind, refusal.name);
    const refuse = async (one: PresentEntry, error: Error): Promise<void> => {
      // Without the node nothing that is at it can be there.
      if (one === entry) throw error;
      await refusals.add(one, error);
    };
    try {
      for await (const entries of stepsOf(entry, follower, store)) {
        const step = { from, change, entries, records, refuse, taken: () => undefined };
        if (!(await applyPiecewise(follower, step))) return false;
      }
      await refusals.remove(refusal);
    } catch (error) {
      if (isDown(error)) throw error;
      await refusals.add({ ...refusal, id: entry?.id ?? refusal.id }, asError(error));
    }
  }
  return true;
}

async function* stepsOf(
  entry: PresentEntry | null,
  { kinds }: Follower,
  { db }: Store,
): AsyncGenerator<readonly PresentEntry[]> {
  if (entry === null) return;
  yield [entry];
  // Engines of vectors and of text keep nodes alone.
  if (entry.kind === 'node' && kinds.includes('key')) yield* entriesAround(db, Number(entry.name));
}
