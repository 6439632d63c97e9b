import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ByteWriter, decodeRefs, encodeRefs } from '../../src/backends/text/postings/lists/bytes.js';
import { BUCKET, bucketOf, decodeRuns, encodeRun } from '../../src/backends/text/postings/lists/runs.js';

const posting = fc.tuple(fc.nat(BUCKET - 1), fc.integer({ min: 1, max: 255 }), fc.nat(65_535));

it('runs of a bucket decode to what was encoded, cut to the requested range', () => {
  fc.assert(
    fc.property(
      fc.nat(200_000),
      fc.uniqueArray(posting, { selector: ([offset]) => offset, minLength: 1 }),
      fc.nat(30),
      (bucket, postings, split) => {
        const rows = postings.map(([offset, tf, length]) => [bucket * BUCKET + offset, tf, length]);
        rows.sort((a, b) => (a[0] as number) - (b[0] as number));
        const out = new ByteWriter();
        for (const part of [rows.slice(0, split), rows.slice(split)])
          if (part.length > 0) encodeRun(out, bucket, part.flat());
        const after = rows[Math.floor(rows.length / 3)]?.[0] as number;
        const read = (from: number, upTo: number) => {
          const found: number[][] = [];
          const sink = { add: (ref: number, tf: number, length: number) => void found.push([ref, tf, length]) };
          decodeRuns(out.written(), bucket, { sink, after: from, upTo });
          return found;
        };
        expect(read(-1, Number.POSITIVE_INFINITY)).toEqual(rows);
        expect(read(after, Number.POSITIVE_INFINITY)).toEqual(rows.filter((row) => (row[0] as number) > after));
        expect(read(-1, after)).toEqual(rows.filter((row) => (row[0] as number) <= after));
        expect(rows.every((row) => bucketOf(row[0] as number) === bucket)).toBe(true);
      },
    ),
  );
});

it('refs decode to what was encoded, in order', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(4_000_000_000)), (refs) => {
      expect(decodeRefs(encodeRefs(refs))).toEqual([...refs].sort((a, b) => a - b));
    }),
  );
});
