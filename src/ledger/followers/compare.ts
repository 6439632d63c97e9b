import type { Db } from '../../backends/store/schema.js';
import type { Follower, RangeDifference } from '../follower.js';
import { firstPosition, rangeAt } from './ranges.js';

/** How far an engine is from the ledger. */
export interface EngineDifference extends RangeDifference {
  /** Records of the ledger that were looked at. */
  readonly records: number;
}

/** A range that differs is looked at again: the ledger may have changed while it was compared. */
const LOOKS = 3;

/**
 * Compares an engine with the ledger, range by range, and writes nothing. `catchUp` lets it apply what it has not applied
 * yet, so that only what following will not mend counts. Throws what keeps the engine from answering.
 */
export async function compareEngine(
  follower: Follower,
  db: Db,
  catchUp: () => Promise<void>,
): Promise<EngineDifference> {
  const { kinds } = follower;
  let [records, missing, different, stale] = [0, 0, 0, 0];
  let present = 0;
  for (let position = firstPosition(kinds); position !== null; ) {
    const { kind } = position;
    for (let look = 1; ; look += 1) {
      await catchUp();
      const { range, next } = await rangeAt(db, position, { kinds });
      const found = await follower.compare(range, present);
      if (found.missing + found.different + found.stale > 0 && look < LOOKS) continue;
      records += range.records.length;
      missing += found.missing;
      different += found.different;
      stale += found.stale;
      present = next?.kind === kind ? present + range.records.length - found.missing : 0;
      position = next;
      break;
    }
  }
  return { records, missing, different, stale };
}
