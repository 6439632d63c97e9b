import { SvcError } from '../../../core/errors.js';
import { DigestSum } from '../../store/move/digest-sum.js';
import type { VectorBackend, VectorEntry } from '../port.js';
import { entryDigest } from './entry-digest.js';
import { type EntryPlace, entryPages } from './entry-pages.js';

export interface Pair {
  readonly source: VectorBackend;
  readonly destination: VectorBackend;
  readonly batchSize: number;
  /** Throws when the caller gave up. */
  readonly checkpoint: () => void;
}

const PASSES = 5;

/** Yields entries page by page. */
export function pages(backend: VectorBackend, name: string, place: EntryPlace): AsyncGenerator<readonly VectorEntry[]> {
  return entryPages(
    ({ after, limit }) => backend.scan(name, { limit, ...(after === undefined ? {} : { after }) }),
    place,
  );
}

/**
 * Makes the destination's index equal to the source's, which may change meanwhile: passes until one finds nothing to do
 * and counts and checksums agree. Returns how many entries were written. Throws `conflict` if the source outruns it.
 */
export async function reconcile(pair: Pair, name: string): Promise<number> {
  let written = 0;
  for (let pass = 0; pass < PASSES; pass += 1) {
    const { changed, upserted } = await onePass(pair, name);
    written += upserted;
    if (changed === 0) return written;
  }
  throw new SvcError(
    'conflict',
    `Index ${name} kept changing while it was copied; run the migration again while fewer writes arrive.`,
    undefined,
    { retriable: true },
  );
}

async function onePass(pair: Pair, name: string): Promise<{ changed: number; upserted: number }> {
  const { source, destination } = pair;
  const sums = { source: new DigestSum(), destination: new DigestSum() };
  let upserted = 0;
  let deleted = 0;
  for await (const page of pages(source, name, { limit: pair.batchSize, after: undefined })) {
    pair.checkpoint();
    const there = digests(await destination.get(name, idsOf(page)));
    const different = page.filter((entry) => {
      const digest = entryDigest(entry);
      sums.source.add(digest);
      return there.get(entry.id)?.equals(digest) !== true;
    });
    if (different.length > 0) await destination.upsert(name, different);
    upserted += different.length;
  }
  for await (const page of pages(destination, name, { limit: pair.batchSize, after: undefined })) {
    pair.checkpoint();
    const known = new Set(idsOf(await source.get(name, idsOf(page))));
    const removed = page.filter((entry) => !known.has(entry.id));
    if (removed.length > 0) await destination.delete(name, { ids: idsOf(removed) });
    deleted += removed.length;
    for (const entry of page) if (known.has(entry.id)) sums.destination.add(entryDigest(entry));
  }
  const changed = upserted + deleted;
  return { changed: changed === 0 && !sums.source.equals(sums.destination) ? 1 : changed, upserted };
}

/** Returns entries of the source that the destination lacks or has otherwise. */
export async function countUnequal(pair: Pair, name: string): Promise<number> {
  let unequal = 0;
  for await (const page of pages(pair.source, name, { limit: pair.batchSize, after: undefined })) {
    pair.checkpoint();
    const there = digests(await pair.destination.get(name, idsOf(page)));
    for (const entry of page) if (there.get(entry.id)?.equals(entryDigest(entry)) !== true) unequal += 1;
  }
  return unequal;
}

function digests(entries: readonly VectorEntry[]): Map<string, Buffer> {
  return new Map(entries.map((entry) => [entry.id, entryDigest(entry)]));
}

function idsOf(entries: readonly VectorEntry[]): string[] {
  return entries.map((entry) => entry.id);
}
