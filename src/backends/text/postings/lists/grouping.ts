import { slicer } from '../../../../core/async/slices.js';
import type { DocumentTerms } from '../../bm25.js';
import type { LogGroup } from '../tail.js';
import { ByteWriter } from './bytes.js';
import { bucketOf, encodeRun } from './runs.js';

/** A document that is about to be written. */
export interface FreshDoc extends DocumentTerms {
  readonly ref: number;
  readonly domain: number;
}

/** Encoded runs of new documents, one group per domain and bucket. */
export interface EncodedPostings {
  readonly groups: readonly LogGroup[];
  /** The runs, in the order of the groups and their terms. */
  readonly bytes: Uint8Array;
  readonly postings: number;
}

/** Turns documents (ascending by ref) into runs per (domain, bucket, term), giving way to the event loop. */
export async function encodePostings(docs: readonly FreshDoc[]): Promise<EncodedPostings> {
  const pause = slicer();
  const grouped = new Map<
    string,
    { readonly domain: number; readonly bucket: number; readonly terms: Map<string, number[]> }
  >();
  let postings = 0;
  for (const { ref, domain, length, counts } of docs) {
    const bucket = bucketOf(ref);
    const key = `${domain} ${bucket}`;
    let group = grouped.get(key);
    if (group === undefined) {
      group = { domain, bucket, terms: new Map() };
      grouped.set(key, group);
    }
    for (const [term, tf] of counts) {
      const flat = group.terms.get(term);
      if (flat === undefined) group.terms.set(term, [ref, tf, length]);
      else flat.push(ref, tf, length);
    }
    postings += counts.size;
    await pause();
  }
  const out = new ByteWriter();
  const groups: LogGroup[] = [];
  for (const { domain, bucket, terms } of grouped.values()) {
    const sizes: number[] = [];
    for (const flat of terms.values()) {
      const before = out.length;
      encodeRun(out, bucket, flat);
      sizes.push(out.length - before);
      if (sizes.length % 1000 === 0) await pause();
    }
    groups.push({ domain, bucket, terms: [...terms.keys()], sizes });
  }
  return { groups, bytes: out.written().slice(), postings };
}
