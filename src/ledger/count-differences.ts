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

/** Finds the records to write to an engine, and counts apart those that carry no fingerprint there and may be equal. */
export function toWrite<R extends { readonly fingerprint: string }, N>(
  wanted: readonly R[],
  prints: ReadonlyMap<N, unknown>,
  nameOf: (record: R) => N,
): { readonly records: readonly R[]; readonly written: number; readonly rewritten: number } {
  const records = wanted.filter((record) => prints.get(nameOf(record)) !== record.fingerprint);
  const { missing, different } = countDifferences(records, prints, nameOf);
  const written = missing + different;
  return { records, written, rewritten: records.length - written };
}
