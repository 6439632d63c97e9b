import type { SentenceReader } from '../collaborators.js';

/**
 * Returns a reader that reads each id once: evidence and the steps of a chain ask for many of the same items. For one
 * request; what it holds ends with it.
 */
export function rememberedSentences(read: SentenceReader): SentenceReader {
  const known = new Map<string, Uint8Array | undefined>();
  return async (ids) => {
    const missing = ids.filter((id) => !known.has(id));
    if (missing.length > 0) {
      const found = await read(missing);
      for (const id of missing) known.set(id, found.get(id));
    }
    const blobs = new Map<string, Uint8Array>();
    for (const id of ids) {
      const blob = known.get(id);
      if (blob !== undefined) blobs.set(id, blob);
    }
    return blobs;
  };
}
