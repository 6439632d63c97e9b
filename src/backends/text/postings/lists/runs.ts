import type { ByteWriter } from './bytes.js';

/** Refs of a bucket: the postings of one term in one bucket are one row. */
export const BUCKET = 16_384;

export function bucketOf(ref: number): number {
  return Math.floor(ref / BUCKET);
}

/** Receives decoded postings in order of ref. */
export interface PostingSink {
  add(ref: number, tf: number, length: number): void;
}

/**
 * Writes one run: count, then for each posting the difference to the ref before (the first to the bucket's start),
 * doubled, plus 1 where tf > 1 follows, then the document's length.
 * @param postings flat triples (ref, tf, length), ascending by ref, all in the bucket
 */
export function encodeRun(out: ByteWriter, bucket: number, postings: readonly number[]): void {
  out.varint(postings.length / 3);
  let last = bucket * BUCKET;
  for (let i = 0; i < postings.length; i += 3) {
    const ref = postings[i] as number;
    const tf = postings[i + 1] as number;
    out.varint((ref - last) * 2 + (tf > 1 ? 1 : 0));
    if (tf > 1) out.varint(tf);
    out.varint(postings[i + 2] as number);
    last = ref;
  }
}

/** Reads the runs of one bucket; postings with a ref up to `after` or beyond `upTo` are passed over. */
export function decodeRuns(
  bytes: Uint8Array,
  bucket: number,
  { sink, after, upTo }: { readonly sink: PostingSink; readonly after: number; readonly upTo: number },
): void {
  let at = 0;
  // Values stay under 2^21: three bytes at most.
  const next = (): number => {
    const a = bytes[at++] as number;
    if (a < 0x80) return a;
    const b = bytes[at++] as number;
    if (b < 0x80) return (a & 0x7f) | (b << 7);
    return (a & 0x7f) | ((b & 0x7f) << 7) | ((bytes[at++] as number) << 14);
  };
  while (at < bytes.length) {
    let ref = bucket * BUCKET;
    for (let left = next(); left > 0; left -= 1) {
      const head = next();
      ref += head >>> 1;
      const tf = (head & 1) === 1 ? next() : 1;
      const length = next();
      if (ref > after && ref <= upTo) sink.add(ref, tf, length);
    }
  }
}
