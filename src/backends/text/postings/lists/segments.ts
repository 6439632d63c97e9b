import { type Kysely, sql } from 'kysely';
import { slicer } from '../../../../core/async/slices.js';
import type { Database } from '../../../store/schema.js';
import { anyOf, isPostgres } from '../../../store/sql.js';

export interface SegmentRow {
  readonly bucket: number;
  readonly data: Uint8Array;
}

/** Rows a statement writes at most: about 10 ms of work. */
const ROWS = 1000;
/** Sizes and offsets share one integer: `offset · 2^22 + size`. */
const SIZE_BITS = 22;

/**
 * Returns segments of (domain, term) pairs from a bucket on, by domain and term, ascending by bucket. May hold more
 * than requested.
 */
export async function readSegments(
  db: Kysely<Database>,
  wanted: ReadonlyArray<readonly [domain: number, term: string]>,
  fromBucket: number,
): Promise<Map<number, Map<string, SegmentRow[]>>> {
  const domains = [...new Set(wanted.map(([domain]) => domain))];
  const terms = [...new Set(wanted.map(([, term]) => term))];
  const rows = await db
    .selectFrom('text_segment')
    .select(['domain', 'term', 'bucket', 'data'])
    .where(anyOf(db, 'domain', domains))
    .where(anyOf(db, 'term', terms))
    .where('bucket', '>=', fromBucket)
    .execute();
  const found = new Map<number, Map<string, SegmentRow[]>>();
  for (const { domain, term, bucket, data } of rows) {
    const ofDomain = found.get(domain) ?? new Map<string, SegmentRow[]>();
    found.set(domain, ofDomain);
    const ofTerm = ofDomain.get(term);
    if (ofTerm === undefined) ofDomain.set(term, [{ bucket, data }]);
    else ofTerm.push({ bucket, data });
  }
  for (const ofDomain of found.values()) {
    for (const ofTerm of ofDomain.values()) ofTerm.sort((a, b) => a.bucket - b.bucket);
  }
  return found;
}

/** Appends the runs of terms to their rows of one domain and bucket; each run comes after those in the row. */
export async function appendSegments(
  db: Kysely<Database>,
  { domain, bucket }: { readonly domain: number; readonly bucket: number },
  runs: ReadonlyMap<string, readonly Uint8Array[]>,
): Promise<void> {
  const terms = [...runs.keys()].sort();
  const pause = slicer();
  for (let start = 0; start < terms.length; start += ROWS) {
    const part = terms.slice(start, start + ROWS);
    const places: number[] = [];
    const pieces: Uint8Array[] = [];
    let offset = 0;
    for (const term of part) {
      let size = 0;
      for (const run of runs.get(term) as readonly Uint8Array[]) {
        pieces.push(run);
        size += run.length;
      }
      places.push(offset * 2 ** SIZE_BITS + size);
      offset += size;
    }
    await appendRows(db, { domain, bucket, terms: part, places, data: Buffer.concat(pieces) });
    await pause();
  }
}

interface Append {
  readonly domain: number;
  readonly bucket: number;
  readonly terms: readonly string[];
  readonly places: readonly number[];
  readonly data: Buffer;
}

/** Appends rows in one statement with one blob, however many they are: the database cuts the blob. */
async function appendRows(db: Kysely<Database>, { domain, bucket, terms, places, data }: Append): Promise<void> {
  const mask = 2 ** SIZE_BITS - 1;
  if (isPostgres(db)) {
    await sql`insert into text_segment (domain, term, bucket, data)
      select ${domain}::int, piece.term, ${bucket}::int,
        substring(${data}::bytea from (piece.place >> ${sql.lit(SIZE_BITS)})::int + 1 for (piece.place & ${sql.lit(mask)})::int)
      from unnest(${terms}::text[], ${places}::bigint[]) as piece (term, place)
      on conflict (domain, term, bucket) do update set data = text_segment.data || excluded.data`.execute(db);
    return;
  }
  const places64 = JSON.stringify(Object.fromEntries(terms.map((term, i) => [term, places[i]])));
  await sql`insert into text_segment (domain, term, bucket, data)
    select ${domain}, key, ${bucket},
      substr(${data}, (value >> ${sql.lit(SIZE_BITS)}) + 1, value & ${sql.lit(mask)})
    from json_each(${places64}) where true
    on conflict (domain, term, bucket) do update set data = cast(data || excluded.data as blob)`.execute(db);
}

/** Deletes every segment of a domain, in slices. */
export async function dropSegments(db: Kysely<Database>, domain: number): Promise<void> {
  const pause = slicer();
  for (;;) {
    const last = await db
      .selectFrom('text_segment')
      .select('term')
      .where('domain', '=', domain)
      .orderBy('term')
      .limit(1)
      .offset(ROWS)
      .executeTakeFirst();
    let rows = db.deleteFrom('text_segment').where('domain', '=', domain);
    if (last !== undefined) rows = rows.where('term', '<', last.term);
    const [result] = await rows.execute();
    if (last === undefined) return;
    // A term alone may fill more than a slice.
    if ((result?.numDeletedRows ?? 0n) === 0n) {
      await db.deleteFrom('text_segment').where('domain', '=', domain).where('term', '=', last.term).execute();
    }
    await pause();
  }
}
