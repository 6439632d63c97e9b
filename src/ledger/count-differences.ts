import type { RangeDifference } from './follower.js';

/**
 * Counts the records that an engine lacks, or has otherwise. `prints`: the fingerprints of those that it has, by what
 * `nameOf` returns; null, undefined or empty where it is not written yet.
 */
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
