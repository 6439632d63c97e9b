import { type Kysely, sql } from 'kysely';
import type { TextDocTable, TextMetaTable } from '../../store/schema/text.js';
import type { Database } from '../../store/schema.js';
import { anyOf, chunks, isPostgres } from '../../store/sql.js';

const CHUNK = 1000;

/**
 * Returns the state of the index and locks it until the transaction ends: writers of the index run one after another.
 */
export async function lockMeta(db: Kysely<Database>): Promise<TextMetaTable> {
  const query = db.selectFrom('text_meta').selectAll().where('id', '=', 1);
  return (isPostgres(db) ? query.forUpdate() : query).executeTakeFirstOrThrow();
}

/** Returns how many deleted documents have left postings. */
export async function tombstones(db: Kysely<Database>): Promise<number> {
  const { dead } = await db.selectFrom('text_meta').select('dead').where('id', '=', 1).executeTakeFirstOrThrow();
  return dead;
}

export async function docsById(db: Kysely<Database>, ids: readonly string[]): Promise<TextDocTable[]> {
  const rows: TextDocTable[] = [];
  for (const part of chunks(ids, CHUNK)) {
    rows.push(
      ...(await db
        .selectFrom('text_doc')
        .selectAll()
        .where(anyOf(db, 'id', part))
        .execute()),
    );
  }
  return rows;
}

/** Returns ids in order, those after `after`. */
export async function documentIds(
  db: Kysely<Database>,
  { after, limit }: { readonly after?: string; readonly limit: number },
): Promise<string[]> {
  let query = db.selectFrom('text_doc').select('id').orderBy('id').limit(limit);
  if (after !== undefined) query = query.where('id', '>', after);
  return (await query.execute()).map((row) => row.id);
}

export async function insertDocs(db: Kysely<Database>, docs: readonly TextDocTable[]): Promise<void> {
  for (const part of chunks(docs, CHUNK)) {
    if (isPostgres(db)) {
      await sql`insert into text_doc (ref, id, domain, length, mark) select * from unnest(
        ${part.map((doc) => doc.ref)}::bigint[], ${part.map((doc) => doc.id)}::text[],
        ${part.map((doc) => doc.domain)}::int[], ${part.map((doc) => doc.length)}::int[],
        ${part.map((doc) => doc.mark)}::bigint[])`.execute(db);
    } else {
      const rows = JSON.stringify(part.map((doc) => [doc.ref, doc.id, doc.domain, doc.length, doc.mark]));
      await sql`insert into text_doc (ref, id, domain, length, mark)
        select value->>0, value->>1, value->>2, value->>3, value->>4 from json_each(${rows})`.execute(db);
    }
  }
}

export async function deleteDocs(db: Kysely<Database>, refs: readonly number[]): Promise<void> {
  for (const part of chunks(refs, CHUNK))
    await db
      .deleteFrom('text_doc')
      .where(anyOf(db, 'ref', part))
      .execute();
}

/** Returns the numbers of these domains; names without one get the next. */
export async function domainNumbers(db: Kysely<Database>, names: readonly string[]): Promise<Map<string, number>> {
  const numbers = new Map<string, number>();
  if (names.length === 0) return numbers;
  const known = await db
    .selectFrom('text_domain')
    .select(['num', 'name'])
    .where(anyOf(db, 'name', names))
    .execute();
  for (const { num, name } of known) numbers.set(name, num);
  const unknown = names.filter((name) => !numbers.has(name));
  if (unknown.length === 0) return numbers;
  const last = await db
    .selectFrom('text_domain')
    .select((q) => q.fn.max('num').as('num'))
    .executeTakeFirst();
  let next = (last?.num ?? 0) + 1;
  for (const name of unknown) {
    await db.insertInto('text_domain').values({ num: next, name, documents: 0, length: 0, version: 0 }).execute();
    numbers.set(name, next);
    next += 1;
  }
  return numbers;
}

/** Adds to a domain's statistics and returns how many documents it has now. */
export async function addToDomain(
  db: Kysely<Database>,
  num: number,
  change: { readonly documents: number; readonly length: number; readonly version: number },
): Promise<number> {
  const row = await db
    .updateTable('text_domain')
    .set((q) => ({
      documents: q('documents', '+', change.documents),
      length: q('length', '+', change.length),
      version: change.version,
    }))
    .where('num', '=', num)
    .returning('documents')
    .executeTakeFirstOrThrow();
  return row.documents;
}
