import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../core/canonical-json.js';
import type { VectorEntry } from '../port.js';

/** Returns the SHA-256 of everything in an entry; the order of metadata members does not count. */
export function entryDigest(entry: VectorEntry): Buffer {
  const { id, vector, metadata, document, partition } = entry;
  const floats = vector instanceof Float32Array ? vector : Float32Array.from(vector);
  return createHash('sha256')
    .update(canonicalJson([id, partition ?? '', document ?? null, metadata ?? {}]))
    .update(new Uint8Array(floats.buffer, floats.byteOffset, floats.byteLength))
    .digest();
}
