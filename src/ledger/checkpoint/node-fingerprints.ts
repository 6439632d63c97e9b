import { createHash } from 'node:crypto';
import type { Restored } from '../types.js';

/** Id of a returnable node → what of it text and vectors are made from, as a short hash. */
export type NodeFingerprints = Map<string, string>;

/** Hashes the fields that go into the text index, the vector or the sentence vectors. */
export function nodeFingerprint(...fields: readonly (string | number | null)[]): string {
  return createHash('sha256').update(JSON.stringify(fields)).digest('base64').slice(0, 16);
}

/** Returns what text and vectors must follow when one state of the graph replaced another. */
export function differencesOf(before: NodeFingerprints, after: NodeFingerprints): Restored {
  const changed: string[] = [];
  for (const [id, fingerprint] of after) if (before.get(id) !== fingerprint) changed.push(id);
  const removed: string[] = [];
  for (const id of before.keys()) if (!after.has(id)) removed.push(id);
  return { changed: changed.sort(), removed: removed.sort() };
}
