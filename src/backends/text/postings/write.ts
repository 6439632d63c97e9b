import { randomInt } from 'node:crypto';
import type { Kysely } from 'kysely';
import { slicer } from '../../../core/async/slices.js';
import type { TextDocTable, TextMetaTable } from '../../store/schema/text.js';
import type { Database } from '../../store/schema.js';
import { type DocumentTerms, readDocument } from '../bm25.js';
import type { TextDoc } from '../port.js';
import { addToDomain, deleteDocs, docsById, domainNumbers, insertDocs, lockMeta } from './documents.js';
import { flush } from './flush.js';
import { encodeRefs } from './lists/bytes.js';
import { encodePostings, type FreshDoc } from './lists/grouping.js';
import { dropSegments } from './lists/segments.js';

/** When the log is moved into segments: postings or writes that wait. */
export interface FlushLimits {
  readonly postings: number;
  readonly writes: number;
}

interface NewDoc {
  readonly row: TextDocTable;
  readonly terms: DocumentTerms;
}

/**
 * Indexes documents; the last of equal ids counts, an unchanged one costs a comparison. Returns the tombstones there
 * are.
 */
export async function upsertDocs(
  db: Kysely<Database>,
  docs: readonly TextDoc[],
  { language, limits }: { readonly language: string; readonly limits: FlushLimits },
): Promise<number> {
  const wanted = new Map(docs.map((doc) => [doc.id, doc]));
  if (wanted.size === 0) return 0;
  const meta = await lockMeta(db);
  const existing = new Map((await docsById(db, [...wanted.keys()])).map((row) => [row.id, row]));
  const numbers = await domainNumbers(db, [...new Set([...wanted.values()].map((doc) => doc.domain))]);
  const pause = slicer();
  const fresh: NewDoc[] = [];
  const dead: TextDocTable[] = [];
  for (const doc of wanted.values()) {
    const domain = numbers.get(doc.domain) as number;
    const read = readDocument(doc, language);
    const mark = read.mark();
    const old = existing.get(doc.id);
    if (old !== undefined && old.domain === domain && old.mark === mark) continue;
    if (old !== undefined) dead.push(old);
    const terms = await read.terms();
    const ref = meta.last_ref + fresh.length + 1;
    fresh.push({ row: { ref, id: doc.id, domain, length: terms.length, mark }, terms });
    await pause();
  }
  return record(db, meta, { fresh, dead, limits });
}

/** Takes documents out of the index; unknown ids are passed over. Returns the tombstones there are. */
export async function deleteFromIndex(
  db: Kysely<Database>,
  ids: readonly string[],
  limits: FlushLimits,
): Promise<number> {
  if (ids.length === 0) return 0;
  const meta = await lockMeta(db);
  return record(db, meta, { fresh: [], dead: await docsById(db, [...new Set(ids)]), limits });
}

interface PostingsChange {
  readonly fresh: readonly NewDoc[];
  readonly dead: readonly TextDocTable[];
  readonly limits: FlushLimits;
}

/** Writes one version: rows, statistics, and the log entry that readers apply. */
async function record(
  db: Kysely<Database>,
  meta: TextMetaTable,
  { fresh, dead, limits }: PostingsChange,
): Promise<number> {
  if (fresh.length === 0 && dead.length === 0) return meta.dead;
  const version = meta.version + 1;
  const stamp = randomInt(1, 2 ** 47);
  await deleteDocs(
    db,
    dead.map((row) => row.ref),
  );
  await insertDocs(
    db,
    fresh.map((doc) => doc.row),
  );
  const docs: FreshDoc[] = fresh.map(({ row, terms }) => ({ ref: row.ref, domain: row.domain, ...terms }));
  const encoded = await encodePostings(docs);
  const pending = meta.pending + encoded.postings;
  const full = pending >= limits.postings || meta.pending_writes + 1 >= limits.writes;
  const logged = !full && encoded.postings > 0;
  await db
    .insertInto('text_log')
    .values({
      version,
      stamp,
      parent: meta.stamp,
      keys: logged ? JSON.stringify(encoded.groups) : null,
      adds: logged ? encoded.bytes : null,
      dead: dead.length === 0 ? null : encodeRefs(dead.map((row) => row.ref)),
    })
    .execute();
  if (full) await flush(db, encoded, version);
  const lastRef = meta.last_ref + fresh.length;
  await db
    .updateTable('text_meta')
    .set({
      version,
      stamp,
      last_ref: lastRef,
      dead: meta.dead + dead.length,
      ...(full
        ? { flushed: lastRef, pending: 0, pending_writes: 0 }
        : { pending, pending_writes: meta.pending_writes + 1 }),
    })
    .where('id', '=', 1)
    .execute();
  await countDomains(db, version, { fresh, dead });
  return meta.dead + dead.length;
}

/** Updates the statistics of every touched domain; one that became empty loses its segments. */
async function countDomains(
  db: Kysely<Database>,
  version: number,
  { fresh, dead }: Pick<PostingsChange, 'fresh' | 'dead'>,
): Promise<void> {
  const changes = new Map<number, { documents: number; length: number }>();
  const count = ({ domain, length }: TextDocTable, sign: number): void => {
    const change = changes.get(domain) ?? { documents: 0, length: 0 };
    change.documents += sign;
    change.length += sign * length;
    changes.set(domain, change);
  };
  for (const { row } of fresh) count(row, 1);
  for (const row of dead) count(row, -1);
  for (const [num, change] of changes) {
    const left = await addToDomain(db, num, { ...change, version });
    if (left === 0) await dropSegments(db, num);
  }
}
