import { createHash } from 'node:crypto';
import type { RecordKind, RecordOf } from './records.js';

/**
 * Returns a short text (16 characters) that differs whenever any member of the record does. Members are taken in the
 * order of their names, maps in the order of their keys, so that equal records have equal fingerprints whoever built
 * them.
 */
export function fingerprintOf<K extends RecordKind>(kind: K, record: RecordOf[K]): string {
  return createHash('sha1')
    .update(kind)
    .update(JSON.stringify(ordered(record)))
    .digest('base64')
    .slice(0, 16);
}

function ordered(value: unknown): unknown {
  if (value instanceof Map) return [...(value as Map<number, unknown>)].sort((a, b) => a[0] - b[0]);
  if (Array.isArray(value)) return value.map(ordered);
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return members.map(([name, member]) => [name, ordered(member)]);
}
