import { isUnavailable } from '../../core/errors.js';
import type { LedgerChange } from '../change.js';
import type { EngineCursor, Follower } from '../follower.js';
import type { LedgerRecords } from '../records.js';
import { type ChangeEntry, changeOf } from './change-entries.js';

export interface PiecewiseStep<E extends ChangeEntry = ChangeEntry> {
  /** Where the engine stands, and stays. */
  readonly from: EngineCursor;
  readonly change: Pick<LedgerChange, 'from' | 'version'>;
  readonly entries: readonly E[];
  readonly records: LedgerRecords;
  /** Receives an entry that the engine does not take by itself either; throwing ends the pass. */
  readonly refuse: (entry: E, error: Error) => Promise<void>;
  /** Called when the engine took some. */
  readonly taken: () => void;
}

/**
 * Applies entries of a change that the engine refused as a whole: halves of them, halves of those that are refused
 * again, down to single entries, which are passed by unless they take something away. The cursor stays. Returns false where another process moved it.
 */
export async function applyPiecewise<E extends ChangeEntry>(
  follower: Follower,
  step: PiecewiseStep<E>,
): Promise<boolean> {
  const { from, entries, records, refuse, taken } = step;
  const lists: Array<readonly E[]> = entries.length === 0 ? [] : [entries];
  while (lists.length > 0) {
    const list = lists.pop()!;
    try {
      if (!(await follower.apply({ from, to: from, change: changeOf(list, step.change), records }))) return false;
      taken();
    } catch (error) {
      if (isUnavailable(error)) throw error;
      if (list.length > 1) {
        const middle = list.length >> 1;
        lists.push(list.slice(middle), list.slice(0, middle));
        continue;
      }
      if (list[0]!.removes === true) throw error;
      // An engine that cannot even be left as it is refuses everything, not this entry.
      if (!(await follower.move({ from, to: from }))) return false;
      await refuse(list[0]!, asError(error));
    }
  }
  return true;
}

export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
