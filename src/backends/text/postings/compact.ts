import type { Kysely } from 'kysely';
import { slicer } from '../../../core/async/slices.js';
import type { Database } from '../../store/schema.js';
import type { Store } from '../../store/scope.js';
import { chunks } from '../../store/sql.js';
import { readTombstones } from './changes.js';
import { lockMeta } from './documents.js';
import { flush } from './flush.js';
import { Bits } from './lists/bits.js';
import { ByteWriter, decodeRefs } from './lists/bytes.js';
import { BUCKET, bucketOf, decodeRuns, encodeRun } from './lists/runs.js';

/** Rows of one read, and reads of one transaction of the sweep: other writes come between transactions. */
const PAGE = 100;
const PAGES = 5;
/** Buckets that a read names at most; beyond, all are read. */
const BUCKETS = 200;

interface SegmentKey {
  readonly domain: number;
  readonly term: string;
  readonly bucket: number;
}

/**
 * Takes the postings of deleted documents out of the segments, page by page, then drops the tombstones that no longer
 * stand for anything. No answer changes; a stop between two pages leaves a sound index.
 */
export async function compact(store: Store, stopped: () => boolean = () => false): Promise<void> {
  const start = await store.write(({ db }) => begin(db));
  let after: SegmentKey | undefined = start.buckets.length === 0 ? undefined : { domain: -1, term: '', bucket: -1 };
  while (after !== undefined) {
    if (stopped()) return;
    const from: SegmentKey = after;
    after = await store.write(({ db }) => sweep(db, from, start));
  }
  await store.write(async ({ db }) => {
    const meta = await lockMeta(db);
    for (const part of chunks(start.trimmed, 500)) {
      await db.deleteFrom('text_dead').where('version', 'in', part).execute();
    }
    await db
      .updateTable('text_meta')
      .set({ dead: Math.max(0, meta.dead - start.count) })
      .where('id', '=', 1)
      .execute();
  });
}

/** Flushes, so that the postings of all dead documents lie in segments, and reads which documents are deleted. */
async function begin(db: Kysely<Database>) {
  const meta = await lockMeta(db);
  await flush(db, { groups: [], bytes: new Uint8Array() }, meta.version);
  await db
    .updateTable('text_meta')
    .set({ flushed: meta.last_ref, pending: 0, pending_writes: 0 })
    .where('id', '=', 1)
    .execute();
  const trimmed = (await db.selectFrom('text_dead').select('version').execute()).map((row) => row.version);
  const logged = await db.selectFrom('text_log').select('dead').where('dead', 'is not', null).execute();
  const dead = new Bits();
  const buckets = new Set<number>();
  const add = (ref: number): void => {
    dead.add(ref);
    buckets.add(bucketOf(ref));
  };
  for (const ref of await readTombstones(db)) add(ref);
  for (const row of logged) for (const ref of decodeRefs(row.dead ?? new Uint8Array())) add(ref);
  return { dead, buckets: [...buckets], trimmed, count: meta.dead };
}

/** Documents that are deleted, and the buckets of their refs: no other one holds a posting of theirs. */
interface Swept {
  readonly dead: Bits;
  readonly buckets: readonly number[];
}

/** Rewrites the next pages of rows; returns where they ended, nothing at the end of the table. */
async function sweep(db: Kysely<Database>, from: SegmentKey, swept: Swept): Promise<SegmentKey | undefined> {
  await lockMeta(db);
  const pause = slicer();
  let after: SegmentKey | undefined = from;
  for (let page = 0; page < PAGES && after !== undefined; page += 1) {
    await pause();
    after = await sweepPage(db, after, swept);
  }
  return after;
}

async function sweepPage(
  db: Kysely<Database>,
  { domain, term, bucket }: SegmentKey,
  { dead, buckets }: Swept,
): Promise<SegmentKey | undefined> {
  const rows = await db
    .selectFrom('text_segment')
    .selectAll()
    .$if(buckets.length <= BUCKETS, (query) => query.where('bucket', 'in', buckets))
    .where(({ eb, refTuple, tuple }) => eb(refTuple('domain', 'term', 'bucket'), '>', tuple(domain, term, bucket)))
    .orderBy('domain')
    .orderBy('term')
    .orderBy('bucket')
    .limit(PAGE)
    .execute();
  const pause = slicer();
  for (const row of rows) {
    const left = survivors(row, dead);
    await pause();
    if (left === undefined) continue;
    if (left.length === 0) {
      await db
        .deleteFrom('text_segment')
        .where('domain', '=', row.domain)
        .where('term', '=', row.term)
        .where('bucket', '=', row.bucket)
        .execute();
    } else {
      await db
        .updateTable('text_segment')
        .set({ data: left })
        .where('domain', '=', row.domain)
        .where('term', '=', row.term)
        .where('bucket', '=', row.bucket)
        .execute();
    }
  }
  return rows.length < PAGE ? undefined : rows[rows.length - 1];
}

/** Returns the row's postings without the dead, as one run; empty without any left, nothing where none was dead. */
function survivors({ bucket, data }: { bucket: number; data: Uint8Array }, dead: Bits): Uint8Array | undefined {
  const postings: number[] = [];
  let dropped = 0;
  const sink = {
    add: (ref: number, tf: number, length: number) => {
      if (dead.has(ref)) dropped += 1;
      else postings.push(ref, tf, length);
    },
  };
  decodeRuns(data, bucket, { sink, after: -1, upTo: (bucket + 1) * BUCKET });
  if (dropped === 0) return undefined;
  const out = new ByteWriter();
  if (postings.length > 0) encodeRun(out, bucket, postings);
  return out.written().slice();
}
