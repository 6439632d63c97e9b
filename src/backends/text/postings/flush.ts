import type { Kysely } from 'kysely';
import { slicer } from '../../../core/async/slices.js';
import type { Database } from '../../store/schema.js';
import { decodeRefs, encodeRefs } from './lists/bytes.js';
import { appendSegments } from './lists/segments.js';
import type { LogGroup } from './tail.js';

/** Log rows kept for readers that catch up; one that is further behind starts again. */
const KEPT = 256;
/** Runs between two looks at the clock. */
const STEP = 512;

interface PostingBlock {
  readonly domain: number;
  readonly bucket: number;
  readonly runs: Map<string, Uint8Array[]>;
}

/**
 * Moves the postings of the log, and then those of the running write, into segments. The log rows stay as the feed of
 * changes, without their postings; the oldest are trimmed.
 */
export async function flush(
  db: Kysely<Database>,
  fresh: { readonly groups: readonly LogGroup[]; readonly bytes: Uint8Array },
  version: number,
): Promise<void> {
  const rows = await db
    .selectFrom('text_log')
    .select(['keys', 'adds'])
    .where('adds', 'is not', null)
    .orderBy('version')
    .execute();
  const blocks = new Map<string, PostingBlock>();
  for (const { keys, adds } of rows) {
    if (keys !== null && adds !== null) await gather(blocks, JSON.parse(keys) as LogGroup[], adds);
  }
  await gather(blocks, fresh.groups, fresh.bytes);
  for (const { domain, bucket, runs } of blocks.values()) await appendSegments(db, { domain, bucket }, runs);
  await db.updateTable('text_log').set({ keys: null, adds: null }).where('adds', 'is not', null).execute();
  await trim(db, version - KEPT);
}

async function gather(
  blocks: Map<string, PostingBlock>,
  groups: readonly LogGroup[],
  bytes: Uint8Array,
): Promise<void> {
  const pause = slicer();
  let offset = 0;
  for (const { domain, bucket, terms, sizes } of groups) {
    const key = `${domain} ${bucket}`;
    const block = blocks.get(key) ?? { domain, bucket, runs: new Map<string, Uint8Array[]>() };
    blocks.set(key, block);
    for (let i = 0; i < terms.length; i += 1) {
      const run = bytes.subarray(offset, offset + (sizes[i] as number));
      offset += run.length;
      const runs = block.runs.get(terms[i] as string);
      if (runs === undefined) block.runs.set(terms[i] as string, [run]);
      else runs.push(run);
      if (i % STEP === 0) await pause();
    }
  }
}

async function trim(db: Kysely<Database>, upTo: number): Promise<void> {
  const rows = await db.selectFrom('text_log').select('dead').where('version', '<=', upTo).execute();
  const refs = rows.flatMap(({ dead }) => (dead === null ? [] : decodeRefs(dead)));
  if (refs.length > 0)
    await db
      .insertInto('text_dead')
      .values({ version: upTo, refs: encodeRefs(refs) })
      .execute();
  if (rows.length > 0) await db.deleteFrom('text_log').where('version', '<=', upTo).execute();
}
