import type { RangeDifference } from './follower.js';

/** Counts records that an engine lacks or has otherwise. `prints`: its fingerprints by name; empty: not written yet. */
export function countDifferences<R extends { readonly fingerprint: string }, N>(
  wanted: readonly R[],
  prints: ReadonlyMap<N, unknown>,
  nameOf: (record: R) => N,
): Omit<RangeDifference, 'stale'> {
  let [missing, different] = [0, 0];
  for (const record of wanted) {
    const print = prints.get(nameOf(record)) ?? '';
    if (!prints.has(nameOf(record))) missing += 1;
    else if (print !== '' && print !== record.fingerprint) different += 1;
  }
  return { missing, different };
}
